// An order of documents: {groups: [[ids that share a place], ...], rest: [ids not returned]}. The functions map an order
// to a new order and know nothing of the page.

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

/** An element of the page. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
