// A panel: controls, the picture, and what Python makes of what is set.
//
// The model holds `described` (the panel's controls and presets), `asked` (what is set, numbered) and `view` (the answer
// to a number). What is set changes here at once; what is shown is always one answer, whole.

const SAME = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The control of one setting: radio buttons, and a line for other spellings. */
function control(described, get, set) {
  const { kind, name, label, meaning, choices, about } = described;
  let typing = false; // "other…" was chosen, and nothing listed since
  const other = about !== "";
  const line = element("label", { class: "ndcg-line" }, element("span", {}, about));
  const text = element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  line.append(text);
  const { group, set: offer, mark } = radios((index) => {
    typing = index === choices.length;
    if (!typing) set(kind, name, choices[index][1]);
    show();
    if (typing) text.focus();
  });
  offer("", [...choices.map(([words]) => words), ...(other ? ["other…"] : [])], false);
  const legend = group.querySelector("legend");
  legend.replaceChildren(label, element("span", { class: "ndcg-hidden" }, meaning ? ` (${meaning})` : ""));
  if (meaning) legend.title = meaning;
  text.addEventListener("change", () => set(kind, name, text.value.trim()));
  const root = element("div", { class: "ndcg-control", "data-name": name }, group, line);

  function show() {
    const value = get(kind, name);
    const at = choices.findIndex(([, spelling]) => spelling === value);
    mark(at >= 0 && !typing ? at : choices.length);
    // Nothing above a point that is being dragged opens or shuts: the point would leave the pointer.
    if (root.closest(".ndcg-pulled") === null) line.hidden = !other || (at >= 0 && !typing);
    if (document.activeElement !== text) text.value = value;
  }
  return { root, show, shut: () => { typing = false; } };
}

function render({ model, el }) {
  const described = model.get("described");
  const history = [];
  let held = model.get("asked").state; // what is set
  let first = true;

  const root = element("div", { class: "ndcg-panel" });
  const front = element("div", { class: "ndcg-controls" });
  const verdict = element("div", { class: "ndcg-verdict" });
  const scores = element("div", { class: "ndcg-scores" });
  const targets = element("div", { class: "ndcg-targets" });
  const pinned = element("div", { class: "ndcg-pinned" });
  const settings = element("div", { class: "ndcg-settings" });
  const tables = element("div", { class: "ndcg-tables" });
  const more = element("details", { class: "ndcg-more" },
    element("summary", {}, "Other settings, rank by rank, the contract"), settings, tables);
  const moved = element("div", { "aria-live": "assertive", class: "ndcg-hidden" });
  const status = element("div", { role: "status", class: "ndcg-hidden" });

  // ---------- what is set ----------

  function ask(next, remember = true) {
    if (SAME(next, held)) return false;
    if (remember) history.push(held);
    held = next;
    send();
    return true;
  }
  function send() {
    model.set("asked", { number: model.get("asked").number + 1, state: held, more: more.open });
    model.save_changes();
    root.dataset.busy = "true"; // until the answer to this is shown
    showControls();
  }
  const set = (kind, name, value) => ask({ ...held, [kind]: { ...held[kind], [name]: value } });
  const get = (kind, name) => held[kind][name];
  function go(state) {
    drawing.forget();
    for (const each of controls) each.shut();
    ask({ ...state, pin: held.pin, reached: held.reached });
  }
  function takeBack() {
    if (history.length === 0) return;
    held = { ...history.pop(), reached: held.reached };
    drawing.forget();
    send();
    moved.textContent = "Undone.";
  }

  const host = {
    canTie: described.can_tie,
    canLeave: described.can_leave,
    canCut: described.controls.some((each) => each.kind === "settings" && each.name === "k"),
    order: (list) => held.lists[list],
    move: (list, order, remember) => ask({ ...held, lists: { ...held.lists, [list]: order } }, remember),
    snapshot: () => held,
    restore: (before) => ask({ ...before, reached: held.reached }, false),
    remember: (before) => { if (!SAME(before, held)) { history.push(before); showControls(); } },
    cutoff: () => { const k = Number(held.settings.k); return Number.isInteger(k) ? k : null; },
    cut: (k) => set("settings", "k", String(k)),
    undo: takeBack,
    say: (text) => { moved.textContent = text; },
  };
  const drawing = picture(host);
  const map = plane({
    gains: (two, three, remember) => ask({ ...held, settings: { ...held.settings, gain: `0=0,2=${two},3=${three}` } }, remember),
    point: () => {
      const found = /^0=0,2=([\d/]+),3=([\d/]+)$/.exec(held.settings.gain);
      return found && found.slice(1).map((text) => text.split("/").reduce((over, under) => over / under));
    },
    snapshot: () => { root.classList.add("ndcg-pulled"); return held; },
    remember: (before) => { root.classList.remove("ndcg-pulled"); host.remember(before); showControls(); },
  });

  // ---------- controls ----------

  const controls = described.controls.map((each) => control(each, get, set));
  const button = (text, title, pressed) => {
    const made = element("button", { type: "button", class: "ndcg-button", title }, text);
    made.addEventListener("click", pressed);
    return made;
  };
  const undo = button("undo", "take the last change back (Ctrl+Z on a document)", takeBack);
  const presets = radios((index) => go(described.presets[index].state));
  presets.set("Go to", described.presets.map((preset) => preset.name), false);
  const buttons = element("div", { class: "ndcg-buttons" },
    undo,
    button("reset", "back to the start", () => go(described.start)),
    button("pin as before", "keep these numbers beside those to come",
      () => { ask({ ...held, pin: { ...held, pin: null } }); }));
  if (described.presets.length > 0) front.append(presets.group);
  const line = element("div", { class: "ndcg-settings" });
  front.append(line);
  described.controls.forEach((each, at) => {
    (described.front.includes(each.name) ? line : settings).append(controls[at].root);
  });
  const grades = element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  grades.addEventListener("change", () => ask({ ...held, grades: grades.value }));
  if (described.grades) {
    (described.front.includes("grades") ? line : settings).append(element("label", { class: "ndcg-line" }, element("span", {}, "Grades"), grades));
  }

  line.append(buttons);

  function showControls() {
    for (const each of controls) each.show();
    if (document.activeElement !== grades) grades.value = held.grades;
    undo.disabled = history.length === 0;
  }

  // ---------- what is shown ----------

  const filled = new Map();
  function put(place, html) {
    if (filled.get(place) === html) return;
    filled.set(place, html);
    const open = [...place.querySelectorAll("details")].map((each) => each.open);
    place.innerHTML = html;
    [...place.querySelectorAll("details")].forEach((each, at) => { each.open = open[at] ?? each.open; });
  }

  function show() {
    const view = model.get("view");
    const reached = [...new Set([...held.reached, ...view.state.reached])].sort((one, other) => one - other);
    held = view.number >= model.get("asked").number ? { ...view.state, reached } : { ...held, reached };
    root.dataset.busy = String(view.number < model.get("asked").number);
    root.dataset.state = JSON.stringify(view.state);
    root.classList.toggle("ndcg-refused", view.refused);
    drawing.draw(view.picture);
    map.draw(view.plane);
    put(verdict, view.verdict);
    put(scores, view.scores);
    put(targets, view.targets);
    put(pinned, view.pinned);
    if (view.more !== "" || view.refused) put(tables, view.more);
    presets.mark(view.preset);
    showControls();
    if (!first && status.textContent !== view.said) status.textContent = view.said; // the start isn't news
    first = false;
  }

  more.addEventListener("toggle", () => { if (more.open) send(); });
  // JupyterLab's shortcuts listen further up: arrows, Space and letters are the panel's while it has the focus.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  root.append(front, drawing.root, verdict, scores, targets, pinned, map.root, more, moved, status);
  el.classList.add("ndcg-widget");
  el.append(root);
  model.on("change:view", show);
  show();
  return () => {
    model.off("change:view", show);
    drawing.dispose();
  };
}

export default { render };
