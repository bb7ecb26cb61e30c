"""Exact DCG and NDCG under a stated contract.

A public name is loaded when it is first used: importing the package stays quick, and the exact core never
loads numpy, pandas, matplotlib or a widget.
"""

TYPE_CHECKING = False  # what type checkers take for True; `typing` alone takes as long to load as the rest
if TYPE_CHECKING:
    from ndcg_lab import certificate as certificate
    from ndcg_lab import family as family
    from ndcg_lab.conventions import conventions as conventions
    from ndcg_lab.conventions.measures import Measure as Measure
    from ndcg_lab.conventions.measures import parse_measure as parse_measure
    from ndcg_lab.conventions.measures import parse_measures as parse_measures
    from ndcg_lab.errors import CertificateError as CertificateError
    from ndcg_lab.errors import ContractError as ContractError
    from ndcg_lab.errors import DuplicateDocument as DuplicateDocument
    from ndcg_lab.errors import FormatError as FormatError
    from ndcg_lab.errors import InvalidDocument as InvalidDocument
    from ndcg_lab.errors import InvalidGrade as InvalidGrade
    from ndcg_lab.errors import InvalidScore as InvalidScore
    from ndcg_lab.errors import MissingGain as MissingGain
    from ndcg_lab.errors import MissingResults as MissingResults
    from ndcg_lab.errors import NdcgLabError as NdcgLabError
    from ndcg_lab.errors import NegativeGrade as NegativeGrade
    from ndcg_lab.errors import OffScale as OffScale
    from ndcg_lab.errors import TiedScores as TiedScores
    from ndcg_lab.errors import TooManyOutcomes as TooManyOutcomes
    from ndcg_lab.errors import Undecided as Undecided
    from ndcg_lab.errors import UndefinedValue as UndefinedValue
    from ndcg_lab.errors import UnjudgedDocument as UnjudgedDocument
    from ndcg_lab.errors import UnknownQuery as UnknownQuery
    from ndcg_lab.exact.linear import a as a
    from ndcg_lab.exact.linear import y as y
    from ndcg_lab.exact.parsing import parse as parse
    from ndcg_lab.exact.undefined import Undefined as Undefined
    from ndcg_lab.identification import Identification as Identification
    from ndcg_lab.identification import identify as identify
    from ndcg_lab.measure.contract import Contract as Contract
    from ndcg_lab.measure.data import Judgments as Judgments
    from ndcg_lab.measure.data import Ranking as Ranking
    from ndcg_lab.measure.evaluation import Evaluation as Evaluation
    from ndcg_lab.measure.evaluation import evaluate as evaluate
    from ndcg_lab.reports.comparison import compare as compare
    from ndcg_lab.reports.explanation import Explanation as Explanation
    from ndcg_lab.reports.explanation import Reversal as Reversal
    from ndcg_lab.reports.explanation import explain as explain
    from ndcg_lab.reports.explanation import reversal as reversal
    from ndcg_lab.reports.faults import Fault as Fault
    from ndcg_lab.reports.report import Report as Report
    from ndcg_lab.reports.report import evaluate_run as evaluate_run
    from ndcg_lab.reports.runs import compare_runs as compare_runs
    from ndcg_lab.reports.runs import evaluate_measures as evaluate_measures
    from ndcg_lab.reports.significance import paired_tests as paired_tests
    from ndcg_lab.reports.trec import read_qrels as read_qrels
    from ndcg_lab.reports.trec import read_run as read_run
    from ndcg_lab.reports.trec import read_weights as read_weights
    from ndcg_lab.reports.verification import verify as verify

__version__ = "0.1.0"

# Module -> the public names it defines; the imports above say the same to type checkers.
_MODULES = {
    "certificate": [],
    "reports.comparison": ["compare"],
    "measure.contract": ["Contract"],
    "conventions": ["conventions"],
    "conventions.measures": ["Measure", "parse_measure", "parse_measures"],
    "measure.data": ["Judgments", "Ranking"],
    "errors": [
        "CertificateError",
        "ContractError",
        "DuplicateDocument",
        "FormatError",
        "InvalidDocument",
        "InvalidGrade",
        "InvalidScore",
        "MissingGain",
        "MissingResults",
        "NdcgLabError",
        "NegativeGrade",
        "OffScale",
        "TiedScores",
        "TooManyOutcomes",
        "Undecided",
        "UndefinedValue",
        "UnjudgedDocument",
        "UnknownQuery",
    ],
    "measure.evaluation": ["Evaluation", "evaluate"],
    "reports.explanation": ["Explanation", "Reversal", "explain", "reversal"],
    "reports.faults": ["Fault"],
    "family": [],
    "exact.linear": ["a", "y"],
    "exact.parsing": ["parse"],
    "exact.undefined": ["Undefined"],
    "identification": ["Identification", "identify"],
    "reports.report": ["Report", "evaluate_run"],
    "reports.runs": ["compare_runs", "evaluate_measures"],
    "reports.significance": ["paired_tests"],
    "reports.trec": ["read_qrels", "read_run", "read_weights"],
    "reports.verification": ["verify"],
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = list(_HOME)

if not TYPE_CHECKING:  # a type checker would take every name from this function, misspelt ones too

    def __getattr__(name: str) -> object:
        """Load a public name, or a module, on its first use (PEP 562)."""
        from importlib import import_module

        if name in _HOME:
            value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
            globals()[name] = value
            return value
        if name in _MODULES:  # a module whose names stay in it: `certificate`, `family`
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOME, *(name for name, names in _MODULES.items() if not names)})
