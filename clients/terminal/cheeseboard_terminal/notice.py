"""What the player is told in passing, above the question, for as long as its reason lasts."""

from collections.abc import Callable

HOLDS_SECONDS = 2.0
"""What is told stays this long, even if its reason is gone sooner."""

State = tuple[int, object, int]
"""Of a table: the number of the last event, what is asked of the player, and the status."""


def _always() -> bool:
    return True


class Notice:
    """One line, empty for none. Times are seconds of one clock."""

    def __init__(self) -> None:
        self.text = ""
        self._said_at = 0.0
        self._state: State = (0, None, 0)
        self._holds: Callable[[], bool] = _always

    def say(self, text: str, state: State, now: float, holds: Callable[[], bool] = _always) -> None:
        """Tell something of this state that is so as long as it `holds`."""
        self.text, self._state, self._said_at, self._holds = text, state, now, holds

    def forget(self) -> None:
        """Take it away."""
        self.text = ""

    def look(self, state: State, now: float) -> None:
        """Take away what was told of something that is no more: at once when the question is another one."""
        asked_anew = state[1:] != self._state[1:]
        is_over = state != self._state or not self._holds()
        if asked_anew or (is_over and now - self._said_at > HOLDS_SECONDS):
            self.forget()
