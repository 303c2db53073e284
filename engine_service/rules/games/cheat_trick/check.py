"""Which options can be played, and why others cannot.

Fields are paths inside the proto message Options, so that a client can show the fault where it was made.
"""

from engine_service.rules.game import BadOption

from .options import RENEGING, SPLITS, Options

TEAM_SEATS = 4
LONGEST_SECONDS = 86_400


def check_options(options: Options, seats: int) -> None:
    """Raise BadOption for the first option that a table of this many seats cannot be played with."""
    if options.dealer is not None and not 0 <= options.dealer < seats:
        raise BadOption("dealer", f"{options.dealer} is no seat of this table: 0 to {seats - 1}")
    if options.veto_limit is not None and options.veto_limit < 0:
        raise BadOption("veto_limit", "nobody can have fewer than 0 vetoes")
    if options.reneging not in RENEGING:
        raise BadOption("reneging", "is neither forbidden nor catchable")
    if options.teams and seats != TEAM_SEATS:  # [CHT 9.1]
        raise BadOption("teams", f"two teams of two need {TEAM_SEATS} players, not {seats}")
    if options.split not in SPLITS:
        raise BadOption("split", "is neither extras nor any")
    for field in ("last_question_seconds", "split_seconds"):
        if not 1 <= getattr(options, field) <= LONGEST_SECONDS:
            raise BadOption(field, f"must be 1 to {LONGEST_SECONDS}")
