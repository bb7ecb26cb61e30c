"""How each lesson's panel is used: by mouse and by keyboard, and the number or verdict that then appears.

A step is a function of the panel. The text beside it was not in the panel before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.panels import LivePanel

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.lab import Lab

    Step = Callable[[LivePanel], None]

PANEL = ".ndcg-panel"


def click(group: str, option: str) -> Step:
    """Click an option of a group."""
    return lambda panel: panel.choose(group, option)


def arrow(group: str, option: str, key: str = "ArrowRight") -> Step:
    """Focus an option of a group, and press a key on it."""

    def step(panel: LivePanel) -> None:
        panel.radio(group, option).focus()
        panel.page.keyboard.press(key)

    return step


def drag(ranking: str, document: str, onto: str) -> Step:
    """Drag a document to the place of another."""
    return lambda panel: panel.drag(ranking, document, onto)


def drag_into(ranking: str, document: str, onto: str) -> Step:
    """Drop a document onto another, to tie them."""
    return lambda panel: panel.drag(ranking, document, onto, share=0.5)


def keys(ranking: str, document: str, *pressed: str) -> Step:
    """Focus a document, and press keys on it."""

    def step(panel: LivePanel) -> None:
        panel.document(ranking, document).focus()
        for key in pressed:
            panel.page.keyboard.press(key)

    return step


def type_into(field: str, text: str) -> Step:
    """Fill a line of text, and leave it."""

    def step(panel: LivePanel) -> None:
        line = panel.root.get_by_role("textbox", name=field)
        line.fill(text)
        line.press("Tab")

    return step


PANELS: dict[str, list[tuple[str, list[tuple[Step, str]]]]] = {
    "00_start_here": [
        (
            PANEL,
            [
                (click("k (", "2"), "(2 + 2a)/(3 + 2a)"),
                (keys("X", "A", "Alt+Home"), "NDCG of X is 1"),
                (drag("X", "D", onto="A"), "3a/(3 + 2a)"),
                (arrow("Gain", "linear"), "9a/(9 + 4a)"),
            ],
        )
    ],
    "01_gain_reversal": [
        (
            PANEL,
            [
                (click("Gain", "exponential"), "X − Y = −2 + 3a < 0"),
                (arrow("Gain", "exponential", "ArrowLeft"), "X − Y = −5/2 + 4a > 0"),
                (drag("X", "A", onto="B"), "X − Y = 4a > 0"),
                (keys("Y", "D", "Alt+End"), "X and Y tie exactly"),
            ],
        )
    ],
    "02_what_cancels": [
        (
            PANEL,
            [
                (click("Gain", "exponential"), "X − Y = −2 + 3a < 0"),
                (arrow("k (", "3", "ArrowLeft"), "X − Y = −4 + 3a < 0"),
                (drag("X", "A", onto="B"), "X − Y = 3a > 0"),
                (click("Discount", "none"), "X − Y = 3 > 0"),
                (keys("Y", "D", "Alt+End"), "X and Y tie exactly"),
            ],
        )
    ],
    "03_cutoff": [
        (
            PANEL,
            [
                (click("k (", "2"), "X − Y = −1 + 2a > 0"),
                (arrow("Gain", "linear"), "X − Y = −5 + 4a < 0"),
                (keys("X", "A", "Alt+Home"), "X − Y = 4a > 0"),
                (drag("Y", "B", onto="A"), "X − Y = 5 − 5a > 0"),
            ],
        )
    ],
    "04_candidate_only": [
        (
            PANEL,
            [
                (click("Ideal population", "returned-at-k"), "X − Y = (7/2 + 2a)/(4 + 2a) − 4/(3 + 2a) < 0"),
                (arrow("Gain", "linear"), "X − Y = (17/2 + 4a)/(11 + 4a) − 11/(9 + 4a) < 0"),
                (keys("X", "A", "Alt+Home"), "X − Y = (−2 + 4a)/(9 + 4a) > 0"),
                (drag("Y", "D", onto="A"), "X − Y = (7 − 5a)/(9 + 4a) > 0"),
            ],
        )
    ],
    "05_zero_ideal": [
        (
            PANEL,
            [
                (click("k (", "1"), "X − Y = −2 < 0"),
                (click("Ideal population", "returned"), "there is no value to compare"),
                (arrow("Zero ideal", "undefined"), "X − Y = −2/3 < 0"),
                (keys("Y", "A", "Alt+Home"), "X − Y = −1 < 0"),
                (type_into("Grades", "A=3, B=2, C=2, D=1"), "X and Y tie exactly"),
            ],
        )
    ],
    "06_ties": [
        (
            PANEL,
            [
                (click("k (", "2"), "NDCG of T is (5/2 + (5/2)a)/(3 + 2a)"),
                (arrow("Gain", "linear"), "NDCG of T is (13/2 + (13/2)a)/(9 + 4a)"),
                (keys("T", "A", "Alt+ArrowLeft"), "NDCG of T is 1"),
                (drag_into("T", "B", onto="A"), "NDCG of T is (13/2 + (13/2)a)/(9 + 4a)"),
            ],
        )
    ],
    "07_metric_family": [
        (
            PANEL,
            [
                (click("Relevant from grade", "3"), "1/3 ≈ 0.33333"),
                (arrow("k (", "3"), "4 + 2/log2(5)"),
                (keys("X", "A", "Alt+Home"), "X − Y = 2a − 2/log2(5) > 0"),
                (drag("Y", "D", onto="A"), "1 + 3a + 2/log2(5)"),
            ],
        )
    ],
    "08_a_complete_report": [
        (
            PANEL,
            [
                (click("Over queries", "ratio of sums"), "5/(5 + 2a)"),
                (arrow("Weight of q1", "1"), "9/(9 + 4a)"),
                (keys("X", "A", "Alt+Home"), "(8 + 5a)/(9 + 4a)"),
            ],
        )
    ],
    "09_one_ranking_many_tools": [
        (
            PANEL,
            [
                (click("k (", "2"), "(2 + 2a)/(3 + 2a)"),
                (drag("X", "D", onto="B"), "2a/(3 + 2a)"),
                (keys("X", "A", "Alt+Home"), "3/(3 + 2a)"),
                (arrow("Gain", "linear"), "9/(9 + 4a)"),
            ],
        )
    ],
    "10_floats_and_proofs": [
        (
            "legend:text-is('Value')",
            [
                (click("Value", "X − Y, exponential gain"), "−2 + 3a"),
                (arrow("Value", "X − Y, exponential gain"), "1 − 2a + 1/log2(14)"),
                (type_into("or type one", "5a - 3"), "a > 3/5"),
            ],
        )
    ],
    "11_bug_hunt": [
        (
            "legend:text-is('Case')",
            [
                (click("Case", "ndcg and ndcg_cut"), "(2 + 2a)/(5/2 + 2a)"),
                (click("Take over", "k"), "That alone gives the second number, exactly."),
                (arrow("Take over", "k"), "That alone does not give the second number."),
            ],
        )
    ],
    "12_claims": [
        (
            "legend:text-is('Kind')",
            [
                (click("Kind", "not quite true"), "6 of 71 statements"),
                (type_into("Words", "renamed"), "1 of 71 statements"),
                (arrow("Kind", "not quite true"), "0 of 71 statements"),
            ],
        )
    ],
    "13_workbench": [
        (
            "legend:text-is('Data')",
            [
                (click("Gain (", "exponential"), "(13/2 + 3a)/(17/2 + 3a)"),
                (type_into("list B", "0 2 2 3"), "(3/2 + 3a)/(17/2 + 3a)"),
            ],
        )
    ],
    "14_a_real_case": [
        (
            "legend:text-is('A document without a grade')",
            [
                (click("Gain", "exponential"), "ConvDR + BERT, by 0.0073"),
                (arrow("Cutoff", "100", "ArrowLeft"), "ConvDR + BERT, by 0.0212"),
            ],
        )
    ],
}


def expect_panels_to_move(lab: Lab, name: str) -> None:
    """The first step of each of a lesson's panels."""
    for holding, steps in PANELS[name]:
        panel = LivePanel(lab, holding=holding)
        step, text = steps[0]
        step(panel)
        panel.expect_text(text)
