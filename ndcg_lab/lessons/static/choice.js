// One of several options.
function render({ model, el }) {
  const { group, set, mark } = radios((index) => {
    model.set("index", index);
    model.save_changes();
  });
  el.append(group);

  const show = () => mark(model.get("index"));
  const build = () => {
    set(model.get("label"), model.get("labels"), model.get("stacked"));
    show();
  };
  for (const key of ["labels", "label", "stacked"]) model.on(`change:${key}`, build);
  model.on("change:index", show);
  build();
  return () => {
    for (const key of ["labels", "label", "stacked"]) model.off(`change:${key}`, build);
    model.off("change:index", show);
  };
}

export default { render };
