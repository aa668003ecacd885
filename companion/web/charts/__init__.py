"""Charts as ready coordinates: plain numbers in, what a template draws as SVG out.

A chart says nothing in words of its own: who leads is a sentence of the page, and names stay
whole in its table. `templates/parts/chart.html` draws.
"""

from .bars import Average, BarChart, bar_chart
from .lines import LineChart, Series, line_chart, totals_chart

__all__ = [
    "Average",
    "BarChart",
    "LineChart",
    "Series",
    "bar_chart",
    "line_chart",
    "totals_chart",
]
