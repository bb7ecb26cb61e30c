"""Exact DCG and NDCG under a stated contract.

Every public name is loaded when it is first used, so that importing the package stays quick
and the exact core never loads numpy, pandas, matplotlib or a widget.
"""

from importlib import import_module

__version__ = "0.1.0"

# Public name -> the module that defines it. A module stands for itself.
_EXPORTS: dict[str, str] = {}

__all__ = ["__version__", *_EXPORTS]


def __getattr__(name: str) -> object:
    """Load a public name on its first use (PEP 562)."""
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_EXPORTS[name]}")
    value = module if name == _EXPORTS[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_EXPORTS})
