"""The results as Markdown: the goals first, then the details in order."""
import statistics

import goals


class Report:
    def __init__(self):
        self.lines, self.figures, self.curves, self.failures = [], {}, {}, []

    def title(self, text, *explained):
        self.lines += ["", f"## {text}", "", *explained]

    def table(self, head, rows, words=1):
        """The first `words` columns are text, the others figures."""
        self.lines += ["", "| " + " | ".join(head) + " |", "|" + "---|" * words + "---:|" * (len(head) - words)]
        self.lines += ["| " + " | ".join(row) + " |" for row in rows]

    def note(self, *texts):
        self.lines += ["", *(f"- {text}" for text in texts)]

    def figure(self, goal, value):
        """Sets the figure of a goal in goals.py."""
        self.figures[goal] = value

    def curve(self, picture, line, points):
        """Adds a line to a picture; `points` has y by x."""
        self.curves.setdefault(picture, {})[line] = points

    def fail(self, text):
        self.failures.append(text)

    def text(self, head):
        failures = ["", "## Failures", "", *(f"- {text}" for text in self.failures)] if self.failures else []
        return "\n".join([*head, "", "## Goals", "", *goals.table(self.figures), *failures, *self.lines])


def micros(value):
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def median_of(runs, field):
    return statistics.median(getattr(run, field) for run in runs)
