// One of several options, as native radio buttons: a group with a name, arrows and Space as everywhere.
let count = 0;

function render({ model, el }) {
  const group = document.createElement("fieldset");
  group.className = "ndcg-choice";
  const legend = document.createElement("legend");
  const row = document.createElement("div");
  group.append(legend, row);
  el.append(group);
  const name = `ndcg-choice-${++count}-${Math.random().toString(36).slice(2)}`;

  function build() {
    legend.textContent = model.get("label");
    row.className = model.get("stacked") ? "ndcg-choice-stacked" : "ndcg-choice-row";
    row.replaceChildren(...model.get("labels").map((text, index) => {
      const label = document.createElement("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = name;
      radio.addEventListener("change", () => {
        model.set("index", index);
        model.save_changes();
      });
      const words = document.createElement("span");
      words.textContent = text;
      label.append(radio, words);
      return label;
    }));
    mark();
  }

  function mark() {
    const chosen = model.get("index");
    [...row.querySelectorAll("input")].forEach((radio, index) => { radio.checked = index === chosen; });
  }

  group.addEventListener("keydown", (event) => event.stopPropagation());
  for (const key of ["labels", "label", "stacked"]) model.on(`change:${key}`, build);
  model.on("change:index", mark);
  build();
  return () => {
    for (const key of ["labels", "label", "stacked"]) model.off(`change:${key}`, build);
    model.off("change:index", mark);
  };
}

export default { render };
