// The plane of g(2) and g(3): a point to drag, the side of each list, a lens. What lies where is Python's.
//
// `host` takes what a reader does: `gains(two, three, remember)` with fractions as text, `snapshot()`, `remember(snapshot)`;
// `point()` is where a table just set has the point.

const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A whole number of steps as a fraction in lowest terms. */
function fraction(steps, per) {
  let [one, other] = [steps, per];
  while (other !== 0) [one, other] = [other, one % other];
  return per === one ? String(steps / one) : `${steps / one}/${per / one}`;
}

function plane(host) {
  const WIDE = 300;
  const HIGH = 190;
  let given = null;
  let from = null; // what was set when the drag began
  const root = element("div", { class: "ndcg-plane" });
  const field = element("div", { class: "ndcg-field" });
  const map = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, "aria-hidden": "true" });
  const point = element("button", { type: "button", class: "ndcg-point" });
  const lens = drawn("svg", { viewBox: "0 0 110 110", width: 110, height: 110, class: "ndcg-lens", "aria-hidden": "true" });
  const says = element("p", { class: "ndcg-says" });
  field.append(map, point);
  root.append(element("div", { class: "ndcg-sight" }, field, lens), says);

  const polygon = (corners, place, index) => drawn("polygon", {
    points: corners.map((corner) => place(corner).join(",")).join(" "), class: `ndcg-side-${index}`,
  });

  function draw(next) {
    given = next;
    root.hidden = next === null;
    if (next === null) return;
    const place = ([x, y]) => [(x / next.width) * WIDE, HIGH - (y / next.height) * HIGH];
    map.replaceChildren(...next.sides.map((side, index) => polygon(side, place, index)));
    next.sides.forEach((side, index) => {
      if (side.length < 3) return;
      const [x, y] = place(side.reduce((sum, each) => [sum[0] + each[0] / side.length, sum[1] + each[1] / side.length], [0, 0]));
      map.append(drawn("text", { x, y, class: "ndcg-side-name" }, `${next.names[index]} leads`));
    });
    for (const { name, ends } of next.lines) {
      if (ends.length < 2) continue;
      const [[x1, y1], [x2, y2]] = ends.map(place);
      const [x, y] = y1 < y2 ? [x1, y1] : [x2, y2];
      map.append(drawn("line", { x1, y1, x2, y2, class: "ndcg-thin" }),
        drawn("text", { x: Math.min(x + 3, WIDE - 36), y: y + 11, class: "ndcg-tick" }, name));
    }
    for (const { name, at } of next.named) {
      const [x, y] = place(at);
      map.append(drawn("circle", { cx: x, cy: y, r: 3.5 }), drawn("text", { x: x + 13, y: y + 13, class: "ndcg-tick" }, name));
    }
    map.append(drawn("text", { x: WIDE - 28, y: HIGH - 4, class: "ndcg-tick" }, "g(2)"), drawn("text", { x: 4, y: 11, class: "ndcg-tick" }, "g(3)"));
    const [left, top] = place(next.here);
    point.style.left = `${(100 * left) / WIDE}%`;
    point.style.top = `${(100 * top) / HIGH}%`;
    point.title = next.told;
    point.setAttribute("aria-label", `Gains, ${next.told}; arrows move the point`);
    says.textContent = next.says;
    lens.style.display = next.lens === null ? "none" : "";
    if (next.lens !== null) {
      const { from: [x, y], to: [right, up] } = next.lens;
      const near = ([p, q]) => [((p - x) / (right - x)) * 110, 110 - ((q - y) / (up - y)) * 110];
      const named = next.named.find((each) => each.name === "r²");
      const [cx, cy] = near(named.at);
      lens.replaceChildren(...next.lens.sides.map((side, index) => polygon(side, near, index)),
        drawn("circle", { cx, cy, r: 4 }), drawn("text", { x: cx + 7, y: cy + 13, class: "ndcg-tick" }, "r²"));
    }
  }

  /** To so many steps along each axis, within the plane. */
  function to(two, three, remember) {
    const most = [given.width * given.step, given.height * given.step];
    const [p, q] = [two, three].map((steps, index) => Math.min(Math.max(Math.round(steps), 0), most[index]));
    host.gains(fraction(p, given.step), fraction(q, given.step), remember);
  }

  point.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (by === undefined) return;
    const [x, y] = host.point() ?? given.here;
    to(x * given.step + by[0], y * given.step + by[1], true);
    event.preventDefault();
  });
  point.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = host.snapshot();
    point.setPointerCapture(event.pointerId);
  });
  point.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const box = map.getBoundingClientRect();
    to(((event.clientX - box.left) / box.width) * given.width * given.step,
      ((box.bottom - event.clientY) / box.height) * given.height * given.step, false);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    point.addEventListener(kind, () => {
      if (from !== null) host.remember(from);
      from = null;
    });
  }
  return { root, draw };
}
