"""A comparison in tables."""

from typing import TYPE_CHECKING

from ndcg_lab.exact.undefined import Undefined
from ndcg_lab.exact.values import Exact
from ndcg_lab.measure.outcomes import Value
from ndcg_lab.tables import Table

if TYPE_CHECKING:
    from ndcg_lab.measure.comparison import Comparison
    from ndcg_lab.reports.comparison import ReportComparison
    from ndcg_lab.reports.report import Report

_SHORT_PROOF = 8  # different logarithms, up to which a proof is written out
_LEADS = {1: "A", -1: "B", 0: "equal", None: "no one"}


def comparison_table(comparison: "ReportComparison", one: "Report", other: "Report") -> Table:
    """Both values of each query, their exact order and what proves it; the means last."""
    columns = {"query": False, "A": True, "B": True, "A - B": True, "leads": False, "proof": False}
    rows = [_row(query, one[query].ndcg, other[query].ndcg, compared) for query, compared in comparison.queries.items()]
    return Table("NDCG", columns, [*rows, _row("mean", one.mean.ndcg, other.mean.ndcg, comparison.mean)])


def headline(comparison: "ReportComparison", one: "Report", other: "Report") -> str:
    """Who leads on the mean, in a sentence."""
    if isinstance(comparison.mean.difference, Undefined):
        return f"The mean NDCG is {number(one.mean.ndcg)} in A and {number(other.mean.ndcg)} in B: no one leads."
    if comparison.mean.sign == 0:
        return f"Both means are exactly equal: {number(one.mean.ndcg)}."
    lead = f"{'A' if comparison.mean.sign == 1 else 'B'} leads by {plain(abs(comparison.mean.difference))}"
    return f"The mean NDCG is {number(one.mean.ndcg)} in A and {number(other.mean.ndcg)} in B: {lead}, proved."


def _row(name: str, a: Value, b: Value, comparison: "Comparison") -> list[str]:
    difference = "" if isinstance(comparison.difference, Undefined) else signed(comparison.difference)
    return [name, number(a), number(b), difference, _LEADS[comparison.sign], proof(comparison)]


def proof(comparison: "Comparison") -> str:
    """The certificate in a clause; one in many logarithms need not be made to be told of."""
    if isinstance(comparison.difference, Undefined):
        return ""
    forms = {form for factors in comparison.difference.monomials() for form, _ in factors}
    logarithms = {b for form in forms for b in dict(form)} - {2}
    return comparison.reason if len(logarithms) <= _SHORT_PROOF else f"by a certificate in {len(logarithms)} logarithms"


def number(value: Value | None) -> str:
    """Five places; one digit where that is the exact value; the reason where there is no number."""
    if value is None:
        return "refused"
    if isinstance(value, Undefined):
        some = ", ".join(value.queries[:3]) + (", ..." if len(value.queries) > 3 else "")
        return f"undefined ({value.reason}{f' in {some}' if some else ''})"
    if value.is_rational and len(str(value)) == 1:
        return str(value)
    text = value.fixed(5)
    return f"{text} (not 1)" if text == "1.00000" else text


def plain(value: Exact) -> str:
    """Five places, or two digits where those show nothing."""
    return text if float(text := value.fixed(5)) else value.decimal(2)


def signed(value: Exact) -> str:
    """A difference with its sign, as `plain`."""
    sign = value.sign()
    return f"{'+' if sign > 0 else '-'}{plain(abs(value))}" if sign else "0"
