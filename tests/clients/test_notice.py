"""What is told in passing is gone when its reason is, but not before one could read it."""

from cheeseboard_terminal.notice import HOLDS_SECONDS, Notice

ASKED = (7, "asked", 2)


def test_what_is_so_no_more_is_not_told():
    """Though nothing moved at the table: as when the engine answers again."""
    notice, away = Notice(), True
    notice.say("The engine does not answer.", ASKED, 10.0, lambda: away)
    notice.look(ASKED, 60.0)
    assert notice.text
    away = False
    notice.look(ASKED, 10.0 + HOLDS_SECONDS / 2)
    assert notice.text, "one can read it"
    notice.look(ASKED, 10.1 + HOLDS_SECONDS)
    assert not notice.text


def test_a_new_question_takes_away_what_was_said_of_the_one_before():
    """At once; other events after a while."""
    for state, seconds, left in (
        ((8, "asked", 2), HOLDS_SECONDS / 2, True),
        ((8, "asked", 2), HOLDS_SECONDS * 2, False),
        ((8, "asked anew", 2), 0.0, False),
        ((8, "asked", 3), 0.0, False),
    ):
        notice = Notice()
        notice.say("There is no such number.", ASKED, 10.0)
        notice.look(state, 10.0 + seconds)
        assert bool(notice.text) == left
