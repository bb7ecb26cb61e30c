// A live region that stays in the page while its text changes, so that a screen reader speaks the change.
function render({ model, el }) {
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  region.className = "ndcg-hidden";
  el.append(region);
  let first = true;
  const show = () => {
    if (first) { first = false; return; } // what a panel shows at its start isn't news
    region.textContent = model.get("text");
  };
  show();
  model.on("change:text", show);
  return () => model.off("change:text", show);
}

export default { render };
