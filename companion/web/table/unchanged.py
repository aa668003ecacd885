"""That nothing changed is said before the app is entered: phones ask little else all evening.

Only this one answer is given here, and only to a phone that the guard would let in as it is. What
is in any way unusual goes on to the app, and so does a state that is new to the page.
"""

from __future__ import annotations
