"""Charts as ready coordinates: plain numbers in, what a template draws as SVG out.

A chart says nothing in words of its own: who leads is a sentence of the page, and names stay
whole in its table. `templates/parts/chart.html` draws.
"""

from .bars import FEW, Average, BarChart, bar_chart
from .lines import LATEST, LineChart, Series, line_chart, places_chart, totals_chart

__all__ = [
    "FEW",
    "LATEST",
    "Average",
    "BarChart",
    "LineChart",
    "Series",
    "bar_chart",
    "line_chart",
    "places_chart",
    "totals_chart",
]
