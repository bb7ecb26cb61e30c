// An exercise's blanks and its buttons, in one model: a press travels with the answer that the reader saw, however fast
// the two follow each other. (A field of its own holds changes back while an earlier one is under way; a press would overtake.)
function render({ model, el }) {
  const form = document.createElement("div");
  form.className = "ndcg-form";
  const put = (changes) => {
    for (const [key, value] of Object.entries(changes)) model.set(key, value);
    model.save_changes();
  };
  const answer = (at, text) => put({ answers: model.get("answers").map((kept, index) => (index === at ? text : kept)) });
  const press = (key) => put({ [key]: model.get(key) + 1 });

  const blanks = model.get("blanks").map((blank, at) => {
    if (blank.choices.length > 0) {
      const { group, set, mark } = radios((index) => answer(at, blank.choices[index]));
      set(blank.label, blank.choices, blank.stacked);
      form.append(group);
      return (text) => mark(blank.choices.indexOf(text));
    }
    const label = document.createElement("label");
    label.className = "ndcg-blank";
    const name = document.createElement("span");
    name.textContent = blank.label;
    const field = document.createElement("input");
    field.type = "text";
    field.placeholder = blank.example && `such as ${blank.example}`;
    field.autocomplete = "off";
    field.spellcheck = false;
    field.addEventListener("input", () => answer(at, field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") press("checked");
    });
    label.append(name, field);
    form.append(label);
    return (text) => { if (field.value !== text) field.value = text; };
  });

  const row = document.createElement("div");
  row.className = "ndcg-form-buttons";
  const button = (text, key) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "jupyter-button";
    made.textContent = text;
    made.addEventListener("click", () => press(key));
    row.append(made);
    return made;
  };
  button("check", "checked");
  button("hint", "hinted");
  const solution = button("solution", "solved");
  if (model.get("renewable")) button("another one", "renewed");
  form.append(row);
  form.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab's shortcuts listen further up
  el.append(form);

  const show = () => model.get("answers").forEach((text, at) => blanks[at](text));
  const unlock = () => { solution.disabled = !model.get("solvable"); };
  model.on("change:answers", show);
  model.on("change:solvable", unlock);
  show();
  unlock();
  return () => {
    model.off("change:answers", show);
    model.off("change:solvable", unlock);
  };
}

export default { render };
