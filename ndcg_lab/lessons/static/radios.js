// A group of native radio buttons with a name: arrows and Space work as everywhere. Shared by the widgets that offer a choice.
let groups = 0;

/** A fieldset of options; `chosen(index)` is called on a choice. `set` and `mark` change what it offers and shows. */
function radios(chosen) {
  const group = document.createElement("fieldset");
  group.className = "ndcg-choice";
  const legend = document.createElement("legend");
  const row = document.createElement("div");
  group.append(legend, row);
  group.addEventListener("keydown", (event) => event.stopPropagation());
  const name = `ndcg-choice-${++groups}-${Math.random().toString(36).slice(2)}`;

  function set(label, options, stacked) {
    legend.textContent = label;
    row.className = stacked ? "ndcg-choice-stacked" : "ndcg-choice-row";
    row.replaceChildren(...options.map((text, index) => {
      const option = document.createElement("label");
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = name;
      radio.addEventListener("change", () => chosen(index));
      const words = document.createElement("span");
      words.textContent = text;
      option.append(radio, words);
      return option;
    }));
  }

  function mark(at) {
    [...row.querySelectorAll("input")].forEach((radio, index) => { radio.checked = index === at; });
  }

  return { group, set, mark };
}
