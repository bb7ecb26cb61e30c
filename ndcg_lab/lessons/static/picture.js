// The picture of a panel: each list a row of blocks, drawn from the layout that Python computed, and taken hold of.
//
// `host` holds the orders as they stand, and takes what a reader does: `order(list)`, `move(list, order, remember)`,
// `snapshot()`, `restore(snapshot)`, `remember(snapshot)`, `cutoff()`, `cut(k)`, `undo()`, `say(text)`; `canTie`,
// `canLeave` and `canCut` say what may be done. No number is computed here.

const TALL = 62; // pixels of the tallest block; with blocks below the line, of both together
const STRIP = 24; // pixels under it, for the names
const reduced = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const percent = (share) => `${100 * share}%`;

function picture(host) {
  let lifted = null; // {list, doc, from: what was set when it was lifted}
  let drag = null; // {list, doc, item, x, y, moved, target}
  let layout = null;
  const focused = {}; // by list, the document that Tab comes to
  const rows = new Map(); // by list, its elements
  const root = element("div", { class: host.canLeave ? "ndcg-picture ndcg-leaving" : "ndcg-picture" });
  const field = element("div", { class: "ndcg-rows" });
  const shade = element("div", { class: "ndcg-shade", "aria-hidden": "true" });
  const curtain = host.canCut
    ? element("div", { class: "ndcg-curtain", role: "slider", tabindex: "0", "aria-label": "Cutoff k", "aria-valuemin": "1" })
    : element("div", { class: "ndcg-curtain ndcg-fixed", "aria-hidden": "true" });
  const flag = element("span", { class: "ndcg-flag", "aria-hidden": "true" });
  curtain.append(flag);
  const ruler = element("div", { class: "ndcg-ruler", "aria-hidden": "true" });
  const veil = element("div", { class: "ndcg-veil" }, shade, curtain);
  field.append(veil);
  root.append(field, ruler);

  // ---------- drawing ----------

  function row(list) {
    if (!rows.has(list)) {
      const plot = element("div", { class: "ndcg-plot", role: "group" });
      const rest = element("div", { class: "ndcg-rest", role: "group", "aria-label": `not returned by ${list}` });
      const made = element("div", { class: "ndcg-row" }, element("div", { class: "ndcg-name", "aria-hidden": "true" }, list), plot);
      if (host.canLeave) made.append(rest);
      field.insertBefore(made, veil);
      rows.set(list, { made, plot, rest, items: new Map() });
    }
    return rows.get(list);
  }

  /** One element per document for as long as it is there: a drag under way keeps hold of it. */
  function item(list, doc) {
    const { items } = row(list);
    if (!items.has(doc)) {
      items.set(doc, element("button", { type: "button", "data-list": list, "data-document": doc },
        element("span", { class: "ndcg-area", "aria-hidden": "true" }),
        element("span", { class: "ndcg-adds", "aria-hidden": "true" }),
        element("span", { class: "ndcg-label", "aria-hidden": "true" },
          element("b", {}, doc), element("span", { class: "ndcg-grade" }))));
    }
    return items.get(doc);
  }

  function block(list, index, made) {
    const it = item(list, made.document);
    const [area, adds, label] = it.children;
    const isLifted = lifted !== null && lifted.list === list && lifted.doc === made.document;
    const isDragged = drag !== null && drag.moved && drag.item === it;
    it.className = ["ndcg-block", `ndcg-list-${index % 4}`, `ndcg-${made.kind}`, `ndcg-${made.pattern}`,
      isLifted && "ndcg-lifted", isDragged && "ndcg-dragged"].filter(Boolean).join(" ");
    it.dataset.rank = made.place;
    it.title = made.told;
    it.setAttribute("aria-label", made.told);
    it.setAttribute("aria-pressed", String(isLifted));
    const before = [it.style.left, it.style.width];
    it.style.left = percent(made.left);
    it.style.width = made.kind === "removed" ? "" : percent(made.width);
    const tall = Math.abs(made.height) * TALL;
    const base = layout.up * TALL;
    const old = [area.style.top, area.style.height];
    area.style.top = `${made.height >= 0 ? base - tall : base}px`;
    area.style.height = `${tall}px`;
    adds.textContent = made.kind === "counted" ? made.adds : "";
    adds.style.top = `${tall >= 18 ? (made.height >= 0 ? base - tall / 2 : base + tall / 2) - 9 : base - 19}px`;
    label.lastChild.textContent = made.grade;
    if (!reduced() && before[0] && before[0] !== it.style.left && !isDragged) {
      it.animate([{ left: before[0], width: before[1] }, { left: it.style.left, width: it.style.width }], { duration: 160 });
    }
    if (!reduced() && old[0] && old[1] !== area.style.height) {
      area.animate([{ top: old[0], height: old[1] }, { top: area.style.top, height: area.style.height }], { duration: 160 });
    }
    return it;
  }

  function outside(list, made) {
    const it = item(list, made.document);
    const isLifted = lifted !== null && lifted.list === list && lifted.doc === made.document;
    const isDragged = drag !== null && drag.moved && drag.item === it;
    it.className = ["ndcg-out", isLifted && "ndcg-lifted", isDragged && "ndcg-dragged"].filter(Boolean).join(" ");
    delete it.dataset.rank;
    it.style.left = it.style.width = "";
    it.title = made.told;
    it.setAttribute("aria-label", made.told);
    it.setAttribute("aria-pressed", String(isLifted));
    it.children[1].textContent = "";
    it.children[2].lastChild.textContent = made.grade;
    return it;
  }

  /** Children in this order, moved only where they stand elsewhere. */
  function arrange(parent, children) {
    children.forEach((child, at) => {
      if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
    });
    while (parent.children.length > children.length) parent.lastChild.remove();
  }

  function draw(next) {
    layout = next;
    const held = document.activeElement?.dataset?.document !== undefined && field.contains(document.activeElement)
      ? { list: document.activeElement.dataset.list, doc: document.activeElement.dataset.document } : null;
    const names = layout.lines.map((line) => line.name);
    for (const [list, { made }] of rows) if (!names.includes(list)) { made.remove(); rows.delete(list); }
    layout.lines.forEach((line, index) => {
      const { made, plot, rest, items } = row(line.name);
      made.style.setProperty("--tall", `${TALL}px`);
      plot.style.height = `${TALL + STRIP}px`;
      const there = [...line.blocks, ...line.rest].map((each) => each.document);
      for (const doc of [...items.keys()]) if (!there.includes(doc)) items.delete(doc);
      plot.setAttribute("aria-label", `Ranking ${line.name}: ${line.blocks.length} documents`
        + (layout.cut ? `, cut at ${layout.cut}` : ""));
      const behind = line.outlines.map((ideal) => {
        const drawn = element("div", { class: "ndcg-outline", "aria-hidden": "true" });
        const tall = Math.abs(ideal.height) * TALL;
        drawn.style.cssText = `left: ${percent(ideal.left)}; width: ${percent(ideal.width)}; height: ${tall}px; `
          + `top: ${layout.up * TALL - (ideal.height >= 0 ? tall : 0)}px`;
        return drawn;
      });
      const base = element("div", { class: "ndcg-base", "aria-hidden": "true" });
      base.style.top = `${layout.up * TALL}px`;
      const brackets = line.brackets.map((tie) => {
        const drawn = element("div", { class: "ndcg-bracket", "aria-hidden": "true" }, element("span", {}, `tied ${tie.label}`));
        drawn.style.cssText = `left: ${percent(tie.left)}; width: ${percent(tie.width)}`;
        return drawn;
      });
      plot.classList.toggle("ndcg-has-ties", line.brackets.length > 0);
      const empty = line.blocks.length === 0 ? [element("span", { class: "ndcg-empty", "aria-hidden": "true" }, "nothing returned")] : [];
      arrange(plot, [...line.blocks.map((each) => block(line.name, index, each)), ...behind, base, ...brackets, ...empty]);
      if (host.canLeave) {
        arrange(rest, [rest.firstChild ?? element("span", { "aria-hidden": "true" }, "not returned"),
          ...line.rest.map((each) => outside(line.name, each))]);
      }
      const all = documents(host.order(line.name));
      if (!all.includes(focused[line.name])) focused[line.name] = all[0];
      for (const [doc, it] of items) it.tabIndex = doc === focused[line.name] ? 0 : -1;
    });
    drawCurtain();
    ruler.replaceChildren(...layout.widths.map((width, at) => {
      const mark = element("span", {}, element("small", {}, at === 0 ? "discount " : ""), width);
      mark.style.width = percent(layout.edges[at + 1] - layout.edges[at]);
      return mark;
    }));
    if (held) focusOn(held.list, held.doc);
    fit();
  }

  function drawCurtain() {
    const last = layout.edges.length - 1;
    const shown = layout.lines.some((line) => line.blocks.some((each) => each.adds !== "")) || layout.cut !== null;
    const at = layout.cut === null ? last : Math.min(layout.cut, last);
    const edge = layout.edges[at];
    veil.hidden = !shown;
    shade.style.left = percent(edge);
    curtain.style.left = percent(edge);
    const told = layout.cut === null ? "k = all" : `k = ${layout.cut}`;
    flag.textContent = told;
    curtain.classList.toggle("ndcg-at-end", edge > 0.9);
    if (host.canCut) {
      curtain.setAttribute("aria-valuemax", String(Math.max(last, layout.cut ?? last)));
      curtain.setAttribute("aria-valuenow", String(layout.cut ?? last));
      curtain.setAttribute("aria-valuetext", told);
    }
  }

  /** A number that has no room on its block is left to the block's name, the scores and the table. */
  function fit() {
    for (const adds of field.querySelectorAll(".ndcg-adds")) {
      adds.classList.toggle("ndcg-no-room", adds.scrollWidth > adds.clientWidth + 1);
    }
  }
  const watched = new ResizeObserver(fit);
  watched.observe(field);

  function focusOn(list, doc) {
    focused[list] = doc;
    for (const [each, it] of row(list).items) {
      it.tabIndex = each === doc ? 0 : -1;
      if (each === doc) it.focus({ preventScroll: true });
    }
  }

  // ---------- moves ----------

  const at = (list, doc) => place(host.order(list), doc);

  function markLifted() {
    for (const [list, { items }] of rows) {
      for (const [doc, it] of items) {
        const is = lifted !== null && lifted.list === list && lifted.doc === doc;
        it.classList.toggle("ndcg-lifted", is);
        it.setAttribute("aria-pressed", String(is));
      }
    }
  }

  function lift(list, doc) {
    lifted = { list, doc, from: host.snapshot() };
    markLifted();
    focusOn(list, doc);
    host.say(`${doc} lifted, ${at(list, doc)}. Arrows move it, Space drops it, Escape cancels.`);
  }

  function settle(cancel) {
    if (lifted === null) return;
    const { list, doc, from } = lifted;
    lifted = null;
    if (cancel) host.restore(from);
    else host.remember(from);
    markLifted();
    host.say(cancel ? `Cancelled; ${doc} is back at ${at(list, doc)}.` : `${doc} dropped, ${at(list, doc)}.`);
  }

  function change(list, doc, next) {
    const moved = host.move(list, next, lifted === null);
    focusOn(list, doc);
    host.say(moved ? `${doc}: ${at(list, doc)}.` : `${doc} can't move further: ${at(list, doc)}.`);
  }

  field.addEventListener("keydown", (event) => {
    if (event.target === curtain) return;
    const it = event.target.closest("[data-document]");
    if (it === null) return;
    const { list, document: doc } = it.dataset;
    const order = host.order(list);
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const isLifted = lifted !== null && lifted.list === list && lifted.doc === doc;
    const moving = event.altKey || event.ctrlKey || event.metaKey || isLifted;
    const all = documents(order);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { lifted = null; host.undo(); }
    else if (by !== undefined && moving) change(list, doc, step(order, doc, by, host.canLeave));
    else if (by !== undefined) focusOn(list, all[Math.min(Math.max(all.indexOf(doc) + by, 0), all.length - 1)]);
    else if ((event.key === "Home" || event.key === "End") && moving) change(list, doc, toEnd(order, doc, event.key === "Home"));
    else if (event.key === "Home" || event.key === "End") focusOn(list, event.key === "Home" ? all[0] : all[all.length - 1]);
    else if (event.key === " " || event.key === "Enter") {
      if (isLifted) settle(false);
      else { settle(false); lift(list, doc); }
    } else if (event.key === "Escape") settle(true);
    else if (event.key === "=" && host.canTie) change(list, doc, tie(order, doc));
    else if (event.key === "-" && host.canTie) change(list, doc, untie(order, doc));
    else if ((event.key === "Delete" || event.key === "Backspace") && host.canLeave) change(list, doc, leave(order, doc));
    else return;
    event.preventDefault();
  });
  field.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.closest("[data-document]")) event.preventDefault(); // no click besides
  });
  field.addEventListener("focusout", (event) => {
    if (lifted !== null && drag === null && event.relatedTarget !== null && !field.contains(event.relatedTarget)) settle(false);
  });

  // ---------- pointer: drag, or click to lift and click a place to drop ----------

  /** What lies under the pointer, as a target for `drop`. */
  function targetAt(x, y) {
    const { items, rest } = row(drag.list);
    const order = host.order(drag.list);
    let best = null;
    let least = Infinity;
    for (const [doc, it] of items) {
      if (it === drag.item) continue; // it is under the pointer all the time
      const box = it.getBoundingClientRect();
      const dx = Math.max(box.left - x, 0, x - box.right);
      const dy = Math.max(box.top - y, 0, y - box.bottom);
      const distance = dx + 4 * dy; // the row that the pointer is on comes first
      if (distance < least) { least = distance; best = { doc, box }; }
    }
    if (host.canLeave) {
      const box = rest.getBoundingClientRect();
      const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      if (inside && (best === null || !order.rest.includes(best.doc))) return { end: "rest" };
      if (!inside && best !== null && order.rest.includes(best.doc)) return { end: "list" };
      if (!inside && best === null) return { end: "list" };
    }
    if (best === null) return null;
    const share = (x - best.box.left) / best.box.width;
    if (host.canTie && share > 0.3 && share < 0.7 && !order.rest.includes(best.doc)) return { into: best.doc };
    return share < 0.5 ? { before: best.doc } : { after: best.doc };
  }

  function mark(target) {
    for (const it of field.querySelectorAll(".ndcg-before, .ndcg-after, .ndcg-into")) {
      it.classList.remove("ndcg-before", "ndcg-after", "ndcg-into");
    }
    if (target === null || target.end !== undefined) return;
    const kind = Object.keys(target)[0];
    row(drag.list).items.get(target[kind])?.classList.add(`ndcg-${kind}`);
  }

  field.addEventListener("pointerdown", (event) => {
    const it = event.target.closest("[data-document]");
    if (it === null || event.button !== 0) return;
    drag = { list: it.dataset.list, doc: it.dataset.document, item: it, x: event.clientX, y: event.clientY, moved: false, target: null };
    field.setPointerCapture(event.pointerId);
  });
  field.addEventListener("pointermove", (event) => {
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
    const { list, doc, moved, target, item: it } = drag;
    mark(null);
    drag = null;
    it.classList.remove("ndcg-dragged");
    it.style.transform = "";
    if (cancelled) return;
    if (moved) {
      if (lifted !== null) settle(false);
      if (target !== null) change(list, doc, drop(host.order(list), doc, target));
      return;
    }
    if (lifted === null) lift(list, doc);
    else if (lifted.list === list && lifted.doc === doc) settle(false);
    else if (lifted.list !== list) { settle(false); lift(list, doc); }
    else {
      // A click on another document: the lifted one takes its place.
      const all = documents(host.order(list));
      const forward = all.indexOf(lifted.doc) < all.indexOf(doc);
      const mover = lifted.doc;
      host.move(list, drop(host.order(list), mover, forward ? { after: doc } : { before: doc }), false);
      settle(false);
      focusOn(list, mover);
    }
  }
  field.addEventListener("pointerup", () => release(false));
  field.addEventListener("pointercancel", () => release(true));

  // ---------- the curtain ----------

  if (host.canCut) {
    let pulled = false;
    const last = () => layout.edges.length - 1;
    const to = (k) => {
      const next = Math.min(Math.max(k, 1), last());
      if (next !== host.cutoff()) host.cut(next);
    };
    curtain.addEventListener("keydown", (event) => {
      const now = host.cutoff() ?? last();
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (by !== undefined) to(now + by);
      else if (event.key === "Home") to(1);
      else if (event.key === "End") to(last());
      else return;
      event.preventDefault();
    });
    curtain.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pulled = true;
      curtain.setPointerCapture(event.pointerId);
      curtain.focus({ preventScroll: true });
      event.stopPropagation();
      event.preventDefault();
    });
    curtain.addEventListener("pointermove", (event) => {
      if (!pulled) return;
      const box = veil.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      let best = 1;
      layout.edges.forEach((edge, k) => {
        if (k > 0 && Math.abs(edge - share) < Math.abs(layout.edges[best] - share)) best = k;
      });
      to(best);
    });
    for (const kind of ["pointerup", "pointercancel"]) curtain.addEventListener(kind, () => { pulled = false; });
  }

  return { root, draw, forget: () => { lifted = null; }, dispose: () => watched.disconnect() };
}
