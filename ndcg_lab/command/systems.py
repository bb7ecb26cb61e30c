"""`ndcg-lab conventions` and `identify`: what systems mean, and what a printed number means."""

from collections.abc import Iterator
from typing import Annotated

import typer

from ndcg_lab.command import options as ask
from ndcg_lab.command.output import Format, Output, Shown
from ndcg_lab.command.terminal import page_parts, printable
from ndcg_lab.conventions.tables import CHECKED
from ndcg_lab.errors import ContractError
from ndcg_lab.measure.contract import FIELDS
from ndcg_lab.tables import Table


@ask.with_output(*ask.TABLES)
@ask.with_settings(*FIELDS)
def conventions(
    name: Annotated[
        str | None, typer.Argument(help="A system; without one, all are listed.", autocompletion=ask.systems)
    ] = None,
    other: Annotated[
        str | None, typer.Argument(help="Another: what sets the two apart.", autocompletion=ask.systems)
    ] = None,
    call: Annotated[bool, typer.Option("--call", help="The call that makes NAME compute the contract given.")] = False,
    convention: Annotated[str | None, typer.Option(help="With --call: start from what a named system means.")] = None,
    contract: Annotated[str | None, typer.Option(help="With --call: start from a contract in a JSON file.")] = None,
    *,
    out: Output,
    **settings: str | None,
) -> None:
    """What existing systems mean by NDCG: all, one, what sets two apart, or the call that gives your contract."""
    from ndcg_lab.conventions import conventions as known

    given = ask.given(settings)
    if not call and (given or convention or contract):
        raise ContractError("a contract is for `conventions NAME --call`: the call that makes NAME compute it")
    if call:
        if name is None or other is not None:
            raise ContractError("--call takes one system: `conventions NAME --call --gain linear --k 10`")
        terms, _, _ = ask.stated(None, ask.start(convention, contract)[1], given, file=False)
        found = known.call(terms, known[name].name)
        lines = [*str(found).splitlines(), *(f"# where: {each}" for each in found.holds_where)]
        rows = [{"call": line} for line in lines]
        as_is = dict.fromkeys((Format.TABLE, Format.MARKDOWN, Format.LATEX), lambda: _lines(lines))
        out.show(Shown(lines, found.to_json, lambda: rows, texts=as_is))
        return
    if name is not None:
        names = [name] if other is None else [name, other]
        page = known.table(name) if other is None else known.difference(name, other)
        record = known.to_json(name) if other is None else {known[each].name: known.to_json(each) for each in names}
        rows = [row for each in names for row in known.rows(each)]
        texts = {Format.MARKDOWN: lambda: _lines(page.splitlines())}
        shown: list[Table | str] = [*page_parts(page)] if out.format is Format.TABLE else [_listed(rows)]
        out.show(Shown(shown, lambda: record, lambda: rows, texts=texts))
        return
    rows = known.rows()
    cards = [line for row in rows for line in _card(row)] if out.format is Format.TABLE else [_listed(rows)]
    out.show(Shown(cards, known.to_json, lambda: rows))


def _card(row: dict[str, str]) -> Iterator[str]:
    """A system in a few lines."""
    told = dict(row)
    yield f"{told.pop('name')} {told.pop('version')} ({CHECKED[told.pop('checked')]})"
    other = told.pop("other")
    yield "  " + "; ".join(
        [*(f"{name.replace(' ', '_')} = {value}" for name, value in told.items()), *([other] if other else [])]
    )


def _listed(rows: list[dict[str, str]]) -> Table:
    return Table("", dict.fromkeys(rows[0], False), [list(row.values()) for row in rows])


def _lines(lines: list[str]) -> str:
    """Lines as they are, but for what a terminal would obey."""
    return "".join(f"{printable(line)}\n" for line in lines)


@ask.with_output(*ask.TABLES)
def identify(
    qrels: ask.QrelsOption = None,
    run: ask.RunsOption = None,
    reported: Annotated[
        list[str] | None, typer.Option(help="A number as it was printed; several are looked for together.")
    ] = None,
    at: Annotated[list[str] | None, typer.Option(help="What is known of each number, such as k=4.")] = None,
    query: ask.QueryOption = None,
    quantity: Annotated[str, typer.Option(help="What is reported: ndcg, dcg, idcg, mean or any.")] = "any",
    comments: ask.CommentsOption = None,
    columns: ask.ColumnsOption = None,
    *,
    out: Output,
) -> None:
    """Which contracts give a printed number: plainest first, and what further number would decide between them."""
    from ndcg_lab.command.identify import chosen, numbers
    from ndcg_lab.identification import identify as identified

    files = ask.Files(qrels, run, columns=columns)
    if not reported:
        raise ContractError("--reported is missing: give --reported NUMBER, as it was printed")
    if len(files.runs or ()) > 1:
        raise ContractError("identify takes one --run; a second was given")
    stated = numbers(reported, at or [])
    judged, results, _ = files.read(ask.comments_of(comments))
    (ranked,) = results.values()
    found = identified(*chosen(ranked, judged, query), reported=stated, quantity=quantity)
    out.show(
        Shown(
            [*found.tables(), *found.sentences()],
            found.to_json,
            lambda: found.csv_rows(exact=out.exact),
        )
    )
