"""Reads the command line as `typer` does, but lets nothing that was given be dropped in silence."""

from typing import Any

from typer.core import TyperCommand

from ndcg_lab.errors import NdcgLabError


class OneValue(TyperCommand):
    """A command whose options that take one value refuse a second, where `typer` keeps the last."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in given:
            if given.count(option) > 1 and not getattr(option, "multiple", False):
                raise NdcgLabError(f"{option.opts[0]} is given {given.count(option)} times; it takes one value")
        return super().parse_args(ctx, args)
