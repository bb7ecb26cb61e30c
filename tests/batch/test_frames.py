"""Queries in data frames: against the exact path, in any partition, and on a cluster that loses a worker."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from ndcg_lab import Contract, Judgments, Ranking, evaluate
from ndcg_lab.batch import frames
from ndcg_lab.batch.frames import COLUMNS, mean_ndcg, query_ndcg
from ndcg_lab.errors import DuplicateDocument, TiedScores, WrongKind
from tests.support import require_module

if TYPE_CHECKING:
    from pathlib import Path

CONTRACT = Contract(gain="exponential", k=10, ties="average", unjudged="zero", zero_ideal="zero")


def random_frame(queries: int) -> pd.DataFrame:
    rng = np.random.default_rng(queries)
    parts = []
    for number in range(queries):
        size = int(rng.integers(1, 40))
        grade, score = rng.integers(0, 4, size).astype(float), rng.integers(0, 30, size) / 3
        kind = rng.integers(0, 5, size)  # most are judged and returned; some are one of both
        grade[kind == 3], score[kind == 4] = np.nan, np.nan
        documents = [f"d{n}" for n in range(size)]
        parts.append(pd.DataFrame({"query": f"q{number:04}", "document": documents, "score": score, "grade": grade}))
    return pd.concat(parts, ignore_index=True)


def by_the_exact_path(frame: pd.DataFrame) -> dict[str, float]:
    values = {}
    for query, rows in frame.groupby("query"):
        returned, judged = rows[rows["score"].notna()], rows[rows["grade"].notna()]
        ranking = Ranking.from_scores(list(zip(returned["document"], returned["score"], strict=True)))
        judgments = Judgments({d: int(g) for d, g in zip(judged["document"], judged["grade"], strict=True)})
        values[str(query)] = float(evaluate(CONTRACT, ranking, judgments).ndcg)
    return values


def test_each_query_is_the_exact_path_s(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = random_frame(120)
    wanted = by_the_exact_path(frame)
    for cells in (1, 200, 1 << 22):
        monkeypatch.setattr(frames, "_CELLS", cells)
        found = query_ndcg(frame.sample(frac=1, random_state=cells), CONTRACT)
        assert dict(zip(found["query"], found["ndcg"], strict=True)) == wanted
    assert mean_ndcg(wanted.values(), CONTRACT) == math.fsum(wanted.values()) / 120


def test_a_mean_of_nothing_and_of_what_is_undefined() -> None:
    undefined, left_out = CONTRACT.replace(zero_ideal="undefined"), CONTRACT.replace(zero_ideal="exclude")
    assert math.isnan(mean_ndcg([], CONTRACT))
    assert math.isnan(mean_ndcg([0.5, math.nan], undefined))
    assert mean_ndcg([0.5, math.nan], left_out) == 0.5


def test_what_is_refused() -> None:
    frame = random_frame(2)
    with pytest.raises(WrongKind, match="lacks the columns score"):
        query_ndcg(frame.drop(columns="score"), CONTRACT)
    with pytest.raises(WrongKind, match="`frame` can't be of the kind dict"):
        query_ndcg({}, CONTRACT)  # type: ignore[arg-type]
    with pytest.raises(DuplicateDocument, match="query 'q0000': document 'd0' stands there more than once"):
        query_ndcg(pd.concat([frame, frame[:1]]), CONTRACT)
    with pytest.raises(TiedScores, match="query 0"):
        query_ndcg(random_frame(5).assign(score=1.0), CONTRACT.replace(ties="error"))


def dies_once(part: pd.DataFrame, flag: str) -> pd.DataFrame:
    """As `query_ndcg`, but the first process that is asked ends without a word."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return query_ndcg(part, CONTRACT)
    os._exit(1)


def test_a_cluster_of_two_processes_that_loses_one(tmp_path: Path) -> None:
    require_module("distributed", "dask")
    import cloudpickle
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    frame = random_frame(60)
    wanted = by_the_exact_path(frame)
    for number, (_, part) in enumerate(frame.groupby(frame["query"].str[-1])):
        part.to_parquet(tmp_path / f"{number}.parquet")
    cloudpickle.register_pickle_by_value(__import__("sys").modules[__name__])
    settings: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**settings, local_directory=str(tmp_path)) as cluster, Client(cluster):
        parts = dd.read_parquet(tmp_path / "*.parquet")
        assert parts.npartitions == 10
        found = parts.map_partitions(dies_once, str(tmp_path / "flag"), meta=dict(COLUMNS)).compute()
    assert (tmp_path / "flag").exists()
    assert dict(zip(found["query"], found["ndcg"], strict=True)) == wanted
    assert mean_ndcg(found["ndcg"], CONTRACT) == mean_ndcg(wanted.values(), CONTRACT)
