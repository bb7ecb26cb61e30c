"""The lessons' toolkit: what the notebooks of `notebooks/` are made of.

# How a lesson is built

A lesson is a notebook of prose and short cells, and one module in `ndcg_lab.lessons.course` that holds what the
cells show. The notebook says `from ndcg_lab.lessons.course import cutoff as lesson`, and then `lesson.prediction`,
`lesson.panel()`, `lesson.check(1)`, each as the last line of its own cell. Cells that derive something use the
library itself (`evaluate`, `compare`, `a`, `y`) and print exact values.

Each of these objects puts a live view and a static reading into one output (`display.bundle`), so that a reader
without a kernel sees the same numbers. Nothing needs `display`, `Output` or `interact`.

## The parts

| part | module | what it is |
| --- | --- | --- |
| `Order`, `State` | `state` | a list as groups of tied documents; judgments, lists and contract |
| `Preset`, `Target` | `state` | a state to go to; something to reach in a panel |
| a view | `views` | any function from a `State` to HTML: `verdict`, `contributions`, `ideal`, or a lesson's own |
| `Panel`, `Option` | `panel` | a contract's controls, lists, views; pure, by its `respond`; a further choice |
| the picture | `layout` | each list as blocks: width discount, height gain, area what it adds |
| `LivePanel` | `live` | the widget that puts a panel on a page |
| `Figure` | `figures` | a picture with its name, caption and data; one function for each kind |
| `Predict` | `predict` | a choice that is kept; `prediction.come_back()` answers it later |
| readers | `typed` | what a reader types: values, orders, grades, inequalities |
| exercises | `exercises` | question and judge, no widget: `exact`, `choose`, `claim`, `construct`, … |
| `Check` | `check` | an exercise on the page; `check("7/2 + 2a")` judges an answer given in code |
| `Reading` | `display` | HTML with a short text beside it, for a table of your own |

## A panel

A state names its lists as keywords; text is read as an order: `B C=A | D` ties C with A, and leaves D out.

>>> from ndcg_lab import Contract, Judgments
>>> from ndcg_lab.lessons.state import State
>>> judgments = Judgments({"A": 3, "B": 2, "C": 2, "D": 0})
>>> state = State.of(judgments, Contract(gain="linear", k=3), X="B C A D", Y="A D B C")
>>> state.leader, state.under(k=4).leader
('X', 'Y')

A view is a function; here one of a lesson's own, made of `views` helpers.

>>> from ndcg_lab.lessons import views
>>> def over_k(state):
...     rows = [(str(k), state.under(k=k).leader or "neither") for k in (1, 2, 3, 4)]
...     return views.rows_table("Who leads, by cutoff", ("k", "leads"), rows)

The panel takes the fields to control, presets and targets; picture, verdict and scores it shows of itself, and below
them, folded, the views in their order. A target gets the state that a preset
or reset last set, and the state as it stands.

>>> from ndcg_lab.lessons.panel import Panel
>>> from ndcg_lab.lessons.state import Preset, Target
>>> panel = Panel(
...     state,
...     controls=("gain", "k"),
...     views=(views.contributions, over_k),
...     presets=[Preset("linear", state), Preset("exponential", state.under(gain="exponential"))],
...     targets=[Target("Make Y lead.", lambda start, now: now.leader == "Y")],
... )

`controls` may also map a field to the settings to offer, label to spelling:
`{"gain": {"linear": "linear", "shifted": "0=1,2=3,3=4"}, "ties": None}`; `None` offers every choice. `can_tie` and
`can_leave` let documents be tied or left out, `grades` lets the grades be edited, `options` adds choices that are no
field of the contract (a view reads them from `state.options`). A view may raise the library's errors: the panel then
shows the message in place of the numbers. A figure inside a panel is a view too: `lambda state:
figures.over_k(state, (1, 2, 3, 4)).html`.

## Exercises

At least four, rising; the last one open-ended, with a checker that accepts every right construction. A judge returns
`right(message)`, `half(message)` or `wrong(message)`; what can't be read raises an `NdcgLabError`, which becomes an
"unread" verdict. Question, hint and solution are HTML of the author's; messages are plain text, for they may quote
the reader. Nothing typed is evaluated as code: use the readers of `typed`, which know every notation of the course.

`exact` proves equality, tells a rounded decimal why it isn't the value, and says of a half-right value which part is
right; `near` adds the half-right values that only the author can foresee.

## Rules that keep the notebooks the same bytes

Outputs hold no addresses, times, counts or random names. Print exact values and `decimal(...)`, never floats of your
own making. After editing run `make notebooks`: it executes every lesson and writes it back, without widget state.

## What survives JupyterLab's sanitiser

In an untrusted notebook the static reading keeps tables, `scope`, `<details>`, `<figure>`, `<figcaption>`, `alt`,
inline styles and PNG; it loses `<style>`, `id`, `role`, `aria-*` and inline SVG. So meaning must not rest on those.
"""
