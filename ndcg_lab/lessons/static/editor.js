// A ranking editor: documents in order, moved by pointer, touch or keyboard.
//
// The model's one piece of state is `order`: {groups: [[ids that share a place], ...], rest: [ids not returned]}.
// The functions in the first half map an order to a new order and know nothing of the page.

const copy = (order) => ({ groups: order.groups.map((g) => [...g]), rest: [...order.rest] });
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const documents = (order) => [...order.groups.flat(), ...order.rest];
const groupOf = (order, doc) => order.groups.findIndex((g) => g.includes(doc));

/** The order without `doc`; a group that it empties goes too. */
function without(order, doc) {
  return {
    groups: order.groups.map((g) => g.filter((d) => d !== doc)).filter((g) => g.length > 0),
    rest: order.rest.filter((d) => d !== doc),
  };
}

/** One step left (-1) or right (+1): out of a tie, past the neighbour, or across the end of the list. */
function step(order, doc, by, canLeave) {
  const at = groupOf(order, doc);
  const next = without(order, doc);
  if (at < 0) {
    const place = order.rest.indexOf(doc) + by;
    if (place < 0) next.groups.push([doc]);
    else if (place > next.rest.length) return order;
    else next.rest.splice(place, 0, doc);
    return next;
  }
  if (order.groups[at].length > 1) {
    next.groups.splice(by < 0 ? at : at + 1, 0, [doc]);
    return next;
  }
  const place = at + by;
  if (place < 0) return order;
  if (place > next.groups.length) {
    if (!canLeave) return order;
    next.rest.unshift(doc);
    return next;
  }
  next.groups.splice(place, 0, [doc]);
  return next;
}

/** To the first or the last place of the list. */
function toEnd(order, doc, first) {
  const next = without(order, doc);
  if (first) next.groups.unshift([doc]);
  else next.groups.push([doc]);
  return next;
}

/** Into one group with the place before it (the first place: with the one after it). */
function tie(order, doc) {
  const at = groupOf(order, doc);
  if (at < 0 || order.groups.length < 2 || order.groups[at].length > 1) return order;
  const neighbour = order.groups[at === 0 ? 1 : at - 1][0];
  return drop(order, doc, { into: neighbour });
}

/** A group of its own, directly after the documents it was tied with. */
const untie = (order, doc) => (tied(order, doc) ? step(order, doc, 1, false) : order);
const tied = (order, doc) => (order.groups[groupOf(order, doc)] || []).length > 1;

/** Out of the list; the end of what was not returned. */
function leave(order, doc) {
  const next = without(order, doc);
  next.rest.push(doc);
  return next;
}

/** Dropped: `into` a document's group, `before` or `after` a document, or at the end of `list` or `rest`. */
function drop(order, doc, target) {
  const beside = target.into ?? target.before ?? target.after;
  if (beside === doc) return order;
  const next = without(order, doc);
  if (target.end === "rest") next.rest.push(doc);
  else if (target.end === "list") next.groups.push([doc]);
  else if (next.rest.includes(beside)) next.rest.splice(next.rest.indexOf(beside) + (target.after ? 1 : 0), 0, doc);
  else {
    const at = groupOf(next, beside);
    if (target.into !== undefined) next.groups[at].push(doc);
    else next.groups.splice(at + (target.after !== undefined ? 1 : 0), 0, [doc]);
  }
  return next;
}

/** Where a document stands, in words. */
function place(order, doc) {
  const at = groupOf(order, doc);
  const total = order.groups.flat().length;
  if (at < 0) return "not returned";
  const first = order.groups.slice(0, at).flat().length + 1;
  const size = order.groups[at].length;
  if (size === 1) return `rank ${first} of ${total}`;
  const others = order.groups[at].filter((d) => d !== doc).join(", ");
  return `ranks ${first} to ${first + size - 1} of ${total}, tied with ${others}`;
}

// ---------- the view ----------

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function render({ model, el }) {
  const history = [];
  let lifted = null; // {doc, from: the order when it was lifted}
  let drag = null; // {doc, x, y, moved, target}
  let focused = documents(model.get("order"))[0];
  let shown = copy(model.get("order"));

  const root = element("div", { class: "ndcg-editor" });
  const name = element("span", { class: "ndcg-editor-name", "aria-hidden": "true" });
  const list = element("div", { role: "listbox", "aria-orientation": "horizontal", class: "ndcg-editor-list" });
  const undo = element("button", { type: "button", class: "ndcg-editor-undo" }, "undo");
  const live = element("div", { "aria-live": "assertive", class: "ndcg-hidden" });
  root.append(name, list, undo, live);
  el.append(root);

  const say = (text) => { live.textContent = text; };
  const order = () => model.get("order");

  function put(next, { remember = true } = {}) {
    if (same(next, order())) return false;
    if (remember) history.push(copy(order()));
    shown = copy(next); // before the model tells of it: this view knows already
    model.set("order", next);
    model.save_changes();
    return true;
  }

  // One element per document for as long as it is there: a redraw moves it, and a drag under way keeps hold of it.
  const items = new Map();

  function option(doc) {
    if (!items.has(doc)) {
      items.set(doc, element("div", { role: "option", "data-doc": doc },
        element("span", { class: "ndcg-editor-id" }, doc),
        element("span", { class: "ndcg-editor-grade", title: "grade" })));
    }
    const item = items.get(doc);
    const grade = model.get("grades")[doc];
    const isLifted = lifted !== null && lifted.doc === doc;
    const isDragged = drag !== null && drag.moved && drag.doc === doc;
    item.className = ["ndcg-editor-doc", isLifted && "ndcg-lifted", isDragged && "ndcg-dragged"].filter(Boolean).join(" ");
    item.tabIndex = doc === focused ? 0 : -1;
    item.setAttribute("aria-selected", String(isLifted));
    item.setAttribute("aria-label", `${doc}, ${grade === undefined ? "not judged" : "grade " + grade}, ${place(order(), doc)}`);
    item.lastChild.textContent = grade === undefined ? "?" : grade;
    return item;
  }

  function draw() {
    const now = order();
    const cut = model.get("cut");
    const total = now.groups.flat().length;
    if (!documents(now).includes(focused)) focused = documents(now)[0];
    for (const doc of items.keys()) if (!documents(now).includes(doc)) items.delete(doc);
    name.textContent = model.get("name");
    list.setAttribute("aria-label", `Ranking ${model.get("name")}: ${total} documents` + (cut ? `, cut at ${cut}` : ""));
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren();
    let rank = 1;
    const cutLine = () => element("span", { class: "ndcg-editor-cut", "aria-hidden": "true", title: `cut at k = ${cut}` },
      element("span", {}, `k = ${cut}`));
    const rankLabel = (text) => element("span", { class: "ndcg-editor-rank", "aria-hidden": "true" }, text);
    for (const group of now.groups) {
      if (cut && rank === cut + 1) list.append(cutLine());
      const last = rank + group.length - 1;
      if (group.length === 1) {
        const cell = element("div", { role: "presentation", class: "ndcg-editor-cell" }, rankLabel(String(rank)), option(group[0]));
        list.append(cell);
      } else {
        const across = cut >= rank && cut < last;
        const label = `${rank}–${last}` + (across ? `, cut at ${cut}` : "");
        const row = element("div", { role: "presentation", class: "ndcg-editor-row" }, ...group.map(option));
        list.append(element("div", {
          role: "group",
          class: "ndcg-editor-cell ndcg-tied" + (across ? " ndcg-across" : ""),
          "aria-label": `tied at ranks ${rank} to ${last}`,
        }, rankLabel(label), row));
      }
      rank = last + 1;
    }
    if (cut && rank === cut + 1) list.append(cutLine());
    if (total === 0) list.append(element("span", { class: "ndcg-editor-empty", "aria-hidden": "true" }, "nothing returned"));
    if (model.get("can_leave")) {
      const out = element("div", { role: "group", class: "ndcg-editor-rest", "aria-label": "not returned", "data-rest": "" });
      out.append(rankLabel("not returned"), element("div", { role: "presentation", class: "ndcg-editor-row" }, ...now.rest.map(option)));
      list.append(out);
    }
    undo.disabled = history.length === 0;
    undo.setAttribute("aria-label", `undo the last move in ${model.get("name")}`);
    shown = copy(now);
    if (hadFocus) focusOn(focused);
  }

  function focusOn(doc) {
    focused = doc;
    for (const item of list.querySelectorAll("[data-doc]")) {
      item.tabIndex = item.dataset.doc === doc ? 0 : -1;
      if (item.dataset.doc === doc) item.focus({ preventScroll: true });
    }
  }

  function lift(doc) {
    lifted = { doc, from: copy(order()) };
    focused = doc;
    draw();
    focusOn(doc);
    say(`${doc} lifted, ${place(order(), doc)}. Arrows move it, Space drops it, Escape cancels.`);
  }

  function settle(cancel) {
    if (lifted === null) return;
    const { doc, from } = lifted;
    lifted = null;
    if (cancel) put(from, { remember: false });
    else if (!same(from, order())) history.push(from);
    draw();
    say(cancel ? `Cancelled; ${doc} is back at ${place(order(), doc)}.` : `${doc} dropped, ${place(order(), doc)}.`);
  }

  function change(doc, next) {
    focused = doc;
    const moved = put(next, { remember: lifted === null });
    draw();
    focusOn(doc);
    say(moved ? `${doc}: ${place(order(), doc)}.` : `${doc} can't move further: ${place(order(), doc)}.`);
  }

  function takeBack() {
    if (history.length === 0) return;
    lifted = null;
    put(history.pop(), { remember: false });
    draw();
    say(`Undone. ${model.get("name")}: ${order().groups.map((g) => g.join(" tied with ")).join(", ")}.`);
  }

  list.addEventListener("keydown", (event) => {
    const item = event.target.closest("[data-doc]");
    if (item === null) return;
    const doc = item.dataset.doc;
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const held = event.altKey || event.ctrlKey || event.metaKey;
    const canLeave = model.get("can_leave");
    const canTie = model.get("can_tie");
    const moving = held || (lifted !== null && lifted.doc === doc);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") takeBack();
    else if (by !== undefined && moving) change(doc, step(order(), doc, by, canLeave));
    else if (by !== undefined) {
      const all = documents(order());
      focusOn(all[Math.min(Math.max(all.indexOf(doc) + by, 0), all.length - 1)]);
    } else if (event.key === "Home" || event.key === "End") {
      const all = documents(order());
      if (moving) change(doc, toEnd(order(), doc, event.key === "Home"));
      else focusOn(event.key === "Home" ? all[0] : all[all.length - 1]);
    } else if (event.key === " " || event.key === "Enter") {
      if (lifted !== null && lifted.doc === doc) settle(false);
      else { settle(false); lift(doc); }
    } else if (event.key === "Escape") settle(true);
    else if (event.key === "=" && canTie) change(doc, tie(order(), doc));
    else if (event.key === "-" && canTie) change(doc, untie(order(), doc));
    else if ((event.key === "Delete" || event.key === "Backspace") && canLeave) change(doc, leave(order(), doc));
    else return;
    event.preventDefault();
  });
  // JupyterLab's shortcuts listen further up: arrows, Space and letters are this widget's while it has the focus.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  undo.addEventListener("click", takeBack);

  list.addEventListener("focusout", (event) => {
    if (lifted !== null && drag === null && event.relatedTarget !== null && !list.contains(event.relatedTarget)) settle(false);
  });

  // ---------- pointer: drag, or click to lift and click a place to drop ----------

  /** What lies under the pointer, as a target for `drop`. */
  function targetAt(x, y) {
    let best = null;
    let least = Infinity;
    for (const item of list.querySelectorAll("[data-doc]")) {
      if (item === drag.item) continue; // it is under the pointer all the time
      const box = item.getBoundingClientRect();
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const distance = dx + 4 * dy; // the line of documents that the pointer is on comes first
      if (distance < least) { least = distance; best = { doc: item.dataset.doc, box }; }
    }
    const rest = list.querySelector("[data-rest]");
    if (rest !== null) {
      const box = rest.getBoundingClientRect();
      const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      if (inside && (best === null || !order().rest.includes(best.doc))) return { end: "rest" };
      if (!inside && best !== null && order().rest.includes(best.doc)) return { end: "list" };
    }
    if (best === null) return null;
    const share = (x - best.box.left) / best.box.width;
    if (model.get("can_tie") && share > 0.3 && share < 0.7 && !order().rest.includes(best.doc)) return { into: best.doc };
    return share < 0.5 ? { before: best.doc } : { after: best.doc };
  }

  function mark(target) {
    for (const item of list.querySelectorAll(".ndcg-before, .ndcg-after, .ndcg-into")) {
      item.classList.remove("ndcg-before", "ndcg-after", "ndcg-into");
    }
    if (target === null || target.end !== undefined) return;
    const kind = Object.keys(target)[0];
    for (const item of list.querySelectorAll("[data-doc]")) {
      if (item.dataset.doc === target[kind]) item.classList.add(`ndcg-${kind}`);
    }
  }

  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("[data-doc]");
    if (item === null || event.button !== 0) return;
    drag = { doc: item.dataset.doc, item, x: event.clientX, y: event.clientY, moved: false, target: null };
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (drag === null) return;
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < 5) return;
    drag.moved = true;
    drag.item.classList.add("ndcg-dragged");
    drag.item.style.transform = `translate(${dx}px, ${dy}px)`;
    drag.target = targetAt(event.clientX, event.clientY);
    mark(drag.target);
  });
  function release(cancelled) {
    if (drag === null) return;
    const { doc, moved, target, item } = drag;
    drag = null;
    item.classList.remove("ndcg-dragged");
    item.style.transform = "";
    mark(null);
    if (cancelled) return;
    if (moved) {
      if (lifted !== null) settle(false);
      if (target !== null) change(doc, drop(order(), doc, target));
      return;
    }
    if (lifted === null) lift(doc);
    else if (lifted.doc === doc) settle(false);
    else {
      // A click on another document: the lifted one takes its place.
      const all = documents(order());
      const forward = all.indexOf(lifted.doc) < all.indexOf(doc);
      const mover = lifted.doc;
      put(drop(order(), mover, forward ? { after: doc } : { before: doc }), { remember: false });
      settle(false);
      focusOn(mover);
    }
  }
  list.addEventListener("pointerup", () => release(false));
  list.addEventListener("pointercancel", () => release(true));

  function fromKernel() {
    if (same(shown, order())) return;
    history.push(shown); // a preset or a reset can be undone too
    lifted = null;
    draw();
  }
  model.on("change:order", fromKernel);
  for (const key of ["grades", "cut", "name", "can_tie", "can_leave"]) model.on(`change:${key}`, draw);
  draw();
  return () => {
    model.off("change:order", fromKernel);
    for (const key of ["grades", "cut", "name", "can_tie", "can_leave"]) model.off(`change:${key}`, draw);
  };
}

export default { render };
