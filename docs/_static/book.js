// Names for the theme's two side columns, and keys for what scrolls.
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");
for (const element of document.querySelectorAll("pre, .table-wrapper, .cell_output")) {
  if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
}
