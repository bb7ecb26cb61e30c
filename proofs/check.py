"""Checks certificates of ndcg-lab: `python check.py FILE ...` prints the sign that each proves, or why it is refused.

It uses `int` and `Fraction` alone. y_b is 1/log2(b); ndcg_lab/certificates/checker.py tells the format and the rules.
"""

# fmt: off
import json, math, pathlib, re, sys
from fractions import Fraction as Q

def need(fact, what="this is not a certificate"):
    if not fact: raise ValueError(what)
    return fact
def room(steps, work=0):  # bits that a number may have in each of so many steps; the work is in squares of bits
    bits = math.isqrt(2 * 10**11 // max(1, steps)) - 200
    return need(work <= 2 * 10**11 and bits > 0, "too much work") and bits
def listed(things): return need(type(things) is list) and things
def number(text): return Q(need(re.fullmatch("-?[0-9]{1,10000}(/[0-9]{1,10000})?", text))[0])
def base(b): return need(type(b) is int and 2 <= b < 2**1024 and b)
def summed(pairs, bits):  # {key: sum}, of numbers that stay short
    total = {}
    for key, q in pairs:
        total[key] = q = total.get(key, 0) + q
        need(q.numerator.bit_length() + q.denominator.bit_length() <= bits, "numbers grow too long")
    return total
def entry(e):  # coefficient, {form: power} and logarithms; a form ((b, q), ...) is the sum of q y_b
    logs = sorted((f["log2"], f["power"]) for f in listed(e["factors"]) if "log2" in f)
    forms = {tuple((base(b), number(q)) for b, q in listed(f["terms"])): f["power"] for f in e["factors"] if "log2" not in f}
    need(len(forms) + len(logs) == len(e["factors"]) and all(0 < len(form) == len(dict(form)) for form in forms))
    need(all(b == "e" or number(b) > 1 for b, _ in logs) and all(type(f["power"]) is int and f["power"] for f in e["factors"]))
    return number(e["coefficient"]), need(sum(abs(f["power"]) for f in e["factors"]) <= 64) and forms, logs
def log(n, bits):  # 2^bits log n lies between: n = 2^k (1 + x)/(1 - x), and its log is k log 2 + 2 (x + x^3/3 + ...)
    k, low, high = n.bit_length() - 1, 0, 0
    for times, up, down in (k, 1, 3), (1, n - 2**k, n + 2**k):
        power, total, odd = (up << bits) // down, 0, 1
        square = power * power >> bits
        while power: total, power, odd = total + power // odd, power * square >> bits, odd + 2
        low, high = low + 2 * times * total, high + 2 * times * (total + 3 * (odd // 2) + 3)
    return low, high
def bounds(stated):  # {b: [lower, upper]}, each proved: p/n < y_b where b^p < 2^n
    known, sides = {}, []
    for one in stated:
        b = need(base(one["b"]) > 2 and one["b"] not in known, "two bounds on one b") and one["b"]
        known[b] = q = [number(one.get("lower", "0")), number(one.get("upper", "1"))]
        sides += [(b, q[up], up, one.get(s + "_powers")) for up, s in enumerate(("lower", "upper")) if s in one]
    sizes = [(q.denominator, abs(q.numerator) * b.bit_length(), 2 * q.denominator.bit_length() + b.bit_length() + 64) for b, q, *_ in sides]
    sizes = [(max(n, p) <= 10_000, (n + p) ** 2 // 16, -(-bits // 64) * 64) for n, p, bits in sizes]
    room(1, sum(work if short else bits**3 // 30 for short, work, bits in sizes))
    for (short, _, bits), (b, q, up, text) in zip(sizes, sides):
        (x, e), (y, f) = [(b, q.numerator), (2, q.denominator)][:: 1 - 2 * up]
        need(q > 0 and (x**e < y**f if short else e * log(x, bits)[1] < f * log(y, bits)[0]), "a bound is false")
        need(text is None or short and text == " < ".join(f"{x}^{e}" if e > 1 else f"{x}" for x, e in ((x, e), (y, f))))
    return known
def ends(form, known, bits):  # what the form lies between
    spans = [(q, (1, 1) if b == 2 else known.get(b, (0, 1))) for b, q in form]
    return [summed(((0, q * span[(q > 0) == up]) for q, span in spans), bits)[0] for up in (False, True)]
def positive(low, high): return low > 0 or low == 0 < high  # bounds are strict: no end is reached
def above_zero(entries, known):  # the sum of what each entry is at least
    of_forms = room(3 * sum(len(form) for _, forms, _ in entries for form in forms))
    bits = room(sum(abs(p) + 1 for _, forms, _ in entries for p in forms.values()))
    total, varies = [Q(0)], False
    for q, forms, _ in entries:
        spans, powers = [ends(form, known, of_forms) for form in forms], list(forms.values())
        varies |= q != 0 and any(low < high for low, high in spans)
        if powers == [1]: spans, powers, q = [], [], q * spans[0][q < 0]
        q *= math.prod((-1) ** abs(p) for (low, high), p in zip(spans, powers) if positive(-high, -low))
        spans = [(low, high) if positive(low, high) else (-high, -low) for low, high in spans]
        need(all(positive(*span) for span in spans), "the sign of a form is not shown")
        for span, p in zip([span[(q > 0) != (p > 0)] for span, p in zip(spans, powers)], powers):
            for _ in range(abs(p) if q else 0): q = summed([(0, q * span if p > 0 else q / span)], bits)[0]
        total.append(q)
    numbers = [Q(0), *(q for pair in known.values() for q in pair), *(q for c, forms, _ in entries for q in (c, *(x for f in forms for _, x in f)))]
    places = 64 + 2 * max(q.denominator.bit_length() for q in numbers)
    need(2 * places <= bits, "numbers are too long")
    if len(entries) > 16:  # rounded down, so that their sum stays short
        total = [Q(math.floor(summed([(0, q)], bits)[0] * 2**places), 2**places) for q in total]
    low = summed(((0, q) for q in total), bits)[0]
    return low > 0 or low == 0 and varies
def product(*bases): return need(len(bases := tuple(sorted(b for b in bases if b > 2))) <= 2, "degree above 2") and bases
def is_zero(entries, known, relations, common):
    below = [form for _, forms, _ in entries for form, p in forms.items() if p < 0]
    spans = [ends(form, known, room(3 * sum(map(len, below)))) for form in below]
    need(all(positive(low, high) or positive(-high, -low) for low, high in spans), "a denominator may be 0")
    powers = [list(zip([base(r[x]) for x in "bdm"], listed(r["powers"]), strict=True)) for r in relations]
    need(all(type(e) is int and abs(e) * b.bit_length() <= 10_000 for one in powers for b, e in one))
    room(1, sum(sum(abs(e) * b.bit_length() for b, e in one[:2]) ** 2 for one in powers))
    need(all(Q(b) ** u * Q(d) ** v == Q(m) ** w and w for (b, u), (d, v), (m, w) in powers), "an identity is false")
    groups, numerators = {}, []
    for q, forms, _ in entries:
        groups.setdefault(() if common else tuple(sorted((f, p) for f, p in forms.items() if p < 0)), []).append((q, forms))
    for group in groups.values():
        lowest = {}
        for f, p in (pair for _, forms in group for pair in forms.items()): lowest[f] = min(p, lowest.get(f, 0))
        room(len(group) * len(lowest))
        numerators.append([(q, [f for f, low in lowest.items() for _ in range(forms.get(f, 0) - low)]) for q, forms in group])
    bits = room(3 * sum(math.prod(map(len, top)) for group in numerators for _, top in group) + 3 * len(powers) * len(groups))
    for group in numerators:
        parts = []
        for q, top in group:
            part = {(): q}
            for form in top: part = summed(((product(*key, b), x * y) for key, x in part.items() for b, y in form if y), bits)
            parts += part.items()
        left = summed(parts, bits)
        for (b, u), (d, v), (m, w) in powers:
            if x := left.pop(product(b, d), 0):
                more = [(product(m, d), x * Q(u, w)), (product(m, b), x * Q(v, w))]
                left |= summed([(key, left.get(key, 0)) for key in dict(more)] + more, bits)
        need(not any(left.values()), "something is left")
    return True
def check(c):
    need(c["schema"] == "ndcg-lab/certificate/1" and type(c["sign"]) is int and c["sign"] in (-1, 0, 1) and type(c.get("common", False)) is bool)
    entries, known = [entry(e) for e in listed(c["sum"])], bounds(listed(c.get("bounds", [])))
    need(all(logs == entries[0][2] for *_, logs in entries), "a logarithm stands in one entry and not in another")
    if c["sign"]: need(above_zero([(c["sign"] * q, forms, logs) for q, forms, logs in entries], known), "the sign is not shown")
    else: is_zero(entries, known, listed(c.get("relations", [])), c.get("common", False))
    return c["sign"]

if __name__ == "__main__":
    sys.set_int_max_str_digits(20_000)
    for path in sys.argv[1:]:
        try: print(path, check(json.loads(pathlib.Path(path).read_text("utf-8"))))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error: sys.exit(f"{path} is refused: {error}")
