// Checks certificates of ndcg-lab: `node check.js FILE ...` prints the sign that each proves, or why it is refused.
// In a page: `import {check} from "./check.js"`, then `check(text)`. BigInt alone; the same rules as check.py.

const need = (fact, what = "this is not a certificate") => { if (!fact) throw new Error(what); return fact };
const abs = n => n < 0n ? -n : n, max = (m, n) => m > n ? m : n;
const bitLength = n => { const hex = abs(n).toString(16); return BigInt(4 * hex.length + 28 - Math.clz32(parseInt(hex[0], 16))) };
const gcd = (m, n) => { while (n) [m, n] = [n, m % n]; return abs(m) };
const root = n => { if (n < 2n) return n; let r = 1n << (bitLength(n) / 2n + 1n); for (;;) { const s = (r + n / r) / 2n; if (s >= r) return r; r = s } };
function room(steps, work = 0n) {  // bits that a number may have in each of so many steps; the work is in squares of bits
  const bits = root(2n * 10n ** 11n / max(1n, steps)) - 200n;
  need(work <= 2n * 10n ** 11n && bits > 0n, "too much work");
  return bits;
}

// Fractions: [numerator, denominator], in lowest terms.
const Q = (n, d = 1n) => { need(d, "division by 0"); const g = gcd(n, d) * (d < 0n ? -1n : 1n); return [n / g, d / g] };
const plus = ([n, d], [m, e]) => d === e ? Q(n + m, d) : Q(n * e + m * d, d * e), times = ([n, d], [m, e]) => Q(n * m, d * e);
const over = (q, [n, d]) => times(q, [need(n, "division by 0") < 0n ? -d : d, abs(n)]), minus = ([n, d]) => [-n, d];
const less = ([n, d], [m, e]) => n * e < m * d, ZERO = [0n, 1n], ONE = [1n, 1n];

// Whole numbers come as "#12", for a double would cut them; no other text may look so.
function parse(text) {
  need(!/\\|"#/.test(text));
  return JSON.parse(text.replace(/"[^"]*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, t => /^-?(0|[1-9]\d*)$/.test(t) ? `"#${t}"` : t));
}
const whole = t => BigInt(need(typeof t === "string" && t.match(/^#(-?\d+)$/))[1]);
const number = t => { const [, n, d] = need(typeof t === "string" && t.match(/^(-?[0-9]{1,10000})(?:\/([0-9]{1,10000}))?$/)); return Q(BigInt(n), BigInt(d ?? 1)) };
const base = t => { const b = whole(t); need(b >= 2n && bitLength(b) <= 1024n); return b };
const listed = (things, size) => need(Array.isArray(things) && (size === undefined || things.length === size) && things);
const has = (thing, key) => Object.hasOwn(need(typeof thing === "object" && !Array.isArray(thing) && thing), key);
const field = (thing, key) => need(has(thing, key)) && thing[key];

function add(total, key, q, bits) {
  const sum = plus(total.get(key) ?? ZERO, q);
  need(bitLength(sum[0]) + bitLength(sum[1]) <= bits, "numbers grow too long");
  total.set(key, sum);
}
function entry(e) {  // {q, forms, logs}: a form is [[b, q], ...] for the sum of q y_b, with its power and its name
  const forms = [], logs = [];
  let factors = 0n;
  for (const f of listed(field(e, "factors"))) {
    const power = need(whole(field(f, "power")));
    factors += abs(power);
    if (has(f, "log2")) { need(f.log2 === "e" || less(ONE, number(f.log2))); logs.push(`${f.log2}^${power}`); continue }
    const form = listed(field(f, "terms")).map(t => [base(listed(t, 2)[0]), number(t[1])]);
    need(form.length && new Set(form.map(([b]) => b)).size === form.length);
    forms.push({form, power, name: form.map(([b, q]) => `${b}:${q}`).join()});
  }
  need(new Set(forms.map(f => f.name)).size === forms.length && factors <= 64n);
  return {q: number(field(e, "coefficient")), forms, logs: logs.sort().join()};
}
function log(n, bits) {  // 2^bits log n lies between: n = 2^k (1 + x)/(1 - x), its log is k log 2 + 2 (x + x^3/3 + ...)
  const k = bitLength(n) - 1n;
  let low = 0n, high = 0n;
  for (const [many, up, down] of [[k, 1n, 3n], [1n, n - (1n << k), n + (1n << k)]]) {
    let power = (up << bits) / down, total = 0n, odd = 1n;
    const square = power * power >> bits;
    while (power) { total += power / odd; power = power * square >> bits; odd += 2n }
    low += 2n * many * total;
    high += 2n * many * (total + 3n * (odd / 2n) + 3n);
  }
  return [low, high];
}
function bounds(stated) {  // b: [lower, upper], each proved: p/n < y_b where b^p < 2^n
  const known = new Map(), sides = [];
  let work = 0n;
  for (const one of stated) {
    const b = base(field(one, "b")), q = [has(one, "lower") ? number(one.lower) : ZERO, has(one, "upper") ? number(one.upper) : ONE];
    need(b > 2n && !known.has(b), "two bounds on one b");
    known.set(b, q);
    ["lower", "upper"].forEach((side, up) => {
      if (!has(one, side)) return;
      const [p, n] = q[up], long = abs(p) * bitLength(b), short = max(n, long) <= 10000n;
      const bits = (2n * bitLength(n) + bitLength(b) + 127n) / 64n * 64n;
      work += short ? (n + long) ** 2n / 16n : bits ** 3n / 30n;
      sides.push({p, short, bits, powers: up ? [[2n, n], [b, p]] : [[b, p], [2n, n]], text: one[side + "_powers"] ?? null});
    });
  }
  room(1n, work);
  for (const {p, short, bits, powers: [[x, e], [y, f]], text} of sides) {
    need(p > 0n && (short ? x ** e < y ** f : e * log(x, bits)[1] < f * log(y, bits)[0]), "a bound is false");
    const words = [[x, e], [y, f]].map(([x, e]) => e > 1n ? `${x}^${e}` : `${x}`).join(" < ");
    need(text === null || (short && text === words));
  }
  return known;
}
function ends(form, known, bits) {  // what the form lies between
  return [0, 1].map(up => {
    const total = new Map([[0, ZERO]]);
    for (const [b, q] of form) add(total, 0, times(q, b === 2n ? ONE : (known.get(b) ?? [ZERO, ONE])[(q[0] > 0n) == up ? 1 : 0]), bits);
    return total.get(0);
  });
}
const positive = ([low, high]) => low[0] > 0n || (low[0] === 0n && high[0] > 0n);  // bounds are strict: no end is reached
const turned = ([low, high]) => [minus(high), minus(low)];
function aboveZero(entries, known) {  // the sum of what each entry is at least
  const every = entries.flatMap(e => e.forms), ofForms = room(every.reduce((n, {form}) => n + 3n * BigInt(form.length), 0n));
  const bits = room(every.reduce((n, {power}) => n + abs(power) + 1n, 0n));
  const parts = [];
  let varies = false;
  for (let {q, forms} of entries) {
    let spans = forms.map(({form}) => ends(form, known, ofForms));
    varies ||= q[0] !== 0n && spans.some(([low, high]) => less(low, high));
    if (forms.length === 1 && forms[0].power === 1n) [q, forms, spans] = [times(q, spans[0][q[0] < 0n ? 1 : 0]), [], []];
    spans = spans.map((span, i) => {
      if (positive(span)) return span;
      need(positive(turned(span)), "the sign of a form is not shown");
      if (forms[i].power % 2n) q = minus(q);
      return turned(span);
    });
    const above = q[0] > 0n;
    forms.forEach(({power}, i) => {
      const end = spans[i][above === power > 0n ? 0 : 1];
      for (let n = q[0] ? abs(power) : 0n; n > 0n; n--) {
        q = power > 0n ? times(q, end) : over(q, end);
        need(bitLength(q[0]) + bitLength(q[1]) <= bits, "numbers grow too long");
      }
    });
    parts.push(q);
  }
  const numbers = [...[...known.values()].flat(), ...entries.flatMap(e => [e.q, ...e.forms.flatMap(({form}) => form.map(([, q]) => q))])];
  const places = 64n + 2n * numbers.reduce((n, [, d]) => max(n, bitLength(d)), 0n);
  need(2n * places <= bits, "numbers are too long");
  if (entries.length > 16) parts.forEach(([n, d], i) => {  // rounded down, so that their sum stays short
    need(bitLength(n) + bitLength(d) <= bits, "numbers grow too long");
    const m = n << places;
    parts[i] = Q((m - (m % d + d) % d) / d, 1n << places);
  });
  const total = new Map([[0, ZERO]]);
  for (const q of parts) add(total, 0, q, bits);
  return total.get(0)[0] > 0n || (total.get(0)[0] === 0n && varies);
}
function product(...bases) {
  const left = bases.filter(b => b > 2n).sort((b, d) => b < d ? -1 : b > d ? 1 : 0);
  need(left.length <= 2, "degree above 2");
  return left.join();
}
function isZero(entries, known, relations, common) {
  const below = entries.flatMap(e => e.forms).filter(f => f.power < 0n);
  const spans = below.map(({form}) => ends(form, known, room(3n * BigInt(below.reduce((n, f) => n + f.form.length, 0)))));
  need(spans.every(span => positive(span) || positive(turned(span))), "a denominator may be 0");
  const identities = relations.map(r => listed(field(r, "powers"), 3).map((e, i) => [base(field(r, "bdm"[i])), whole(e)]));
  need(identities.flat().every(([b, e]) => abs(e) * bitLength(b) <= 10000n));
  room(1n, identities.reduce((n, one) => n + one.slice(0, 2).reduce((m, [b, e]) => m + abs(e) * bitLength(b), 0n) ** 2n, 0n));
  for (const [first, second, [m, w]] of identities) {
    const sides = [1n, 1n];
    for (const [b, e] of [first, second, [m, -w]]) sides[e < 0n ? 1 : 0] *= b ** abs(e);
    need(w && sides[0] === sides[1], "an identity is false");
  }
  const groups = new Map(), numerators = [];
  for (const e of entries) {
    const key = common ? "" : e.forms.filter(f => f.power < 0n).map(f => `${f.name}^${f.power}`).sort().join(" ");
    groups.set(key, [...groups.get(key) ?? [], e]);
  }
  for (const group of groups.values()) {
    const lowest = new Map();
    for (const {form, power, name} of group.flatMap(e => e.forms)) {
      const old = lowest.get(name)?.low ?? 0n;
      lowest.set(name, {form, low: power < old ? power : old});
    }
    room(BigInt(group.length * lowest.size));
    numerators.push(group.map(({q, forms}) => {
      const powers = new Map(forms.map(f => [f.name, f.power])), top = [];
      for (const [name, {form, low}] of lowest) for (let n = (powers.get(name) ?? 0n) - low; n > 0n; n--) top.push(form);
      return {q, top};
    }));
  }
  const products = numerators.flat().reduce((n, {top}) => n + top.reduce((m, form) => m * BigInt(form.length), 1n), 0n);
  const bits = room(3n * products + 3n * BigInt(identities.length * groups.size));
  for (const group of numerators) {
    const left = new Map();
    for (const {q, top} of group) {
      let part = [[[], q]];
      for (const form of top) {
        const longer = new Map();
        for (const [key, x] of part) for (const [b, y] of form) if (y[0]) add(longer, product(...key, b), times(x, y), bits);
        part = [...longer].map(([key, x]) => [key ? key.split(",").map(BigInt) : [], x]);
      }
      for (const [key, x] of part) add(left, key.join(), x, bits);
    }
    for (const [[b, u], [d, v], [m, w]] of identities) {
      const x = left.get(product(b, d)) ?? ZERO;
      left.delete(product(b, d));
      if (x[0] === 0n) continue;
      add(left, product(m, d), times(x, Q(u, w)), bits);
      add(left, product(m, b), times(x, Q(v, w)), bits);
    }
    need([...left.values()].every(([n]) => n === 0n), "something is left");
  }
  return true;
}
export function check(text) {
  const c = parse(text), sign = whole(field(c, "sign")), common = has(c, "common") && c.common;
  need(field(c, "schema") === "ndcg-lab/certificate/1" && -1n <= sign && sign <= 1n && typeof common === "boolean");
  const entries = listed(field(c, "sum")).map(entry), known = bounds(listed(has(c, "bounds") ? c.bounds : []));
  need(entries.every(e => e.logs === entries[0].logs), "a logarithm stands in one entry and not in another");
  if (sign) need(aboveZero(entries.map(e => ({...e, q: times([sign, 1n], e.q)})), known), "the sign is not shown");
  else isZero(entries, known, listed(has(c, "relations") ? c.relations : []), common);
  return Number(sign);
}

if (typeof process !== "undefined" && process.argv[1]?.endsWith("check.js")) {
  const {readFileSync} = await import("node:fs");
  for (const path of process.argv.slice(2)) {
    try { console.log(path, check(readFileSync(path, "utf8"))) }
    catch (error) { console.error(`${path} is refused: ${error.message}`); process.exitCode = 1 }
  }
}
