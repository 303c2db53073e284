"""[CHT 10] Who sees what, and when."""

import pytest
from msgspec.structs import replace

from engine_service.rules.game import Seat
from engine_service.rules.games.cheat_trick import CHEAT_TRICK
from engine_service.rules.games.cheat_trick.actions import Accuse, Knock
from engine_service.rules.games.cheat_trick.events import (
    CardPlayed,
    DealCompleted,
    DealRevealed,
    PacketDealt,
    RoundScored,
    VetoedDealsRevealed,
)
from engine_service.rules.games.cheat_trick.options import Options
from engine_service.rules.games.cheat_trick.projection import seen, veils
from engine_service.rules.games.cheat_trick.views import DealCompletedSeen, PacketDealtSeen
from engine_service.wire.registry import WIRES
from tests.rules.walks import evolved, walk

from .tabletop import (
    CATCHABLE,
    all_of,
    beside,
    called,
    card,
    cards,
    decided,
    laid_out,
    offered,
    only,
    played,
    plays,
    skipped,
    started,
    voted,
)

CATCH = Options(reneging=CATCHABLE)
HANDS = ["H1 D1", "H2 D2", "H3 C3", "H4 D4"]
VIEWERS: tuple[Seat | None, ...] = (None, 0, 1, 2, 3)


def test_hands() -> None:
    """[CHT 10.1] One's own, in views and in deals; spectators see none."""
    table = started()
    log = CHEAT_TRICK.setup(Options(simplified=True), 4, bytes(32))
    packet, completed = only(log, PacketDealt), only(log, DealCompleted)
    for viewer in VIEWERS:
        own = () if viewer is None else table.hands[viewer]
        assert CHEAT_TRICK.view(table, viewer).hand == own
        told, whole = seen(packet, viewer), seen(completed, viewer)
        assert isinstance(told, PacketDealtSeen)
        assert isinstance(whole, DealCompletedSeen)
        assert told.hand == (() if viewer is None else packet.hands[viewer])
        assert whole.hand == (() if viewer is None else completed.hands[viewer])


def test_open_cards() -> None:
    """[CHT 10.2] The one turned up all round; with three players each seat's until it is played."""
    assert CHEAT_TRICK.view(laid_out(HANDS), None).turned_up == card("S10")
    table = laid_out(["H1 D1", "H2 D2", "H3 D3"], open_cards="H1 D2 H3")
    assert [seat.open_card for seat in CHEAT_TRICK.view(table, None).seats] == list(cards("H1 D2 H3"))
    after = CHEAT_TRICK.view(played(table, "H3"), None)
    assert [seat.open_card for seat in after.seats] == [card("H1"), card("D2"), None]


@pytest.mark.parametrize("options", [Options(), CATCH])
def test_the_last_trick_lies_open_until_the_next_lead(options: Options) -> None:
    """[CHT 10.3]"""
    table = laid_out(HANDS, options=options)
    assert CHEAT_TRICK.view(played(table, "H4 H3 H2"), None).last_trick is None
    complete = CHEAT_TRICK.view(played(table, "H4 H3 H2 H1"), None).last_trick
    assert complete is not None
    assert ([play.card for play in complete.plays], complete.winner) == (list(cards("H4 H3 H2 H1")), 3)
    assert CHEAT_TRICK.view(played(table, "H4 H3 H2 H1 D4"), None).last_trick is None


@pytest.mark.parametrize("options", [Options(), CATCH])
def test_the_last_trick_of_a_round_lies_open_until_it_is_scored(options: Options) -> None:
    """[CHT 10.3] And not in the next round, nor when the game is over."""
    steps = list(walk(CHEAT_TRICK, options, 4, bytes(32)))
    ended = [step for step in steps if all_of(step.events, RoundScored)]
    assert len(ended) == 4
    for step in ended:
        assert CHEAT_TRICK.view(step.before, None).last_trick is not None
        assert CHEAT_TRICK.view(step.state, None).last_trick is None


def test_earlier_tricks_are_hidden_where_reneges_can_be_caught() -> None:
    """[CHT 10.4] A lead closes the look back, but for the first of the round; where they are forbidden nothing does."""
    for options, closes in ((CATCH, True), (Options(), False)):
        first = laid_out(HANDS, options=options)
        second = played(first, "H4 H3 H2 H1")
        lead = only(decided(second, 3, *plays("D4")), CardPlayed)
        assert veils(second, lead) == closes
        assert not veils(first, only(decided(first, 3, *plays("H4")), CardPlayed))
        assert not veils(played(second, "D4"), CardPlayed(2, card("C3")))


def test_what_is_public() -> None:
    """[CHT 10.5] Votes, vetoes, bids and who passed; knocks, accusations, numbers."""
    table = voted(started(), "veto play play play")
    table = called(table, "3 pass")
    shown = CHEAT_TRICK.view(table, None)
    assert (shown.deal, [seat.vetoes for seat in shown.seats]) == (2, [0, 0, 0, 1])
    assert [(call.seat, call.tricks) for call in shown.calls] == [(3, 3), (2, None)]
    assert [(seat.bid, seat.passed_as) for seat in shown.seats] == [(1, 0), (1, 0), (1, 1), (3, 0)]
    table = beside(beside(played(laid_out(HANDS, options=CATCH), "H4 C3"), 0, Knock(1, 1)), 1, Accuse(1, 1, 2))
    shown = CHEAT_TRICK.view(table, None)
    assert ([knock.seat for knock in shown.knocks], [made.right for made in shown.accusations]) == ([0], [True])
    assert [seat.hand_count for seat in shown.seats] == [2, 2, 1, 1]


def test_a_renege_is_told_to_nobody() -> None:
    """[CHT 10.6] The same card with and without a heart left in the hand: events, views, questions and offers of all
    others are equal to the byte, through the rest of the round."""
    wire = WIRES["cheat_trick"]
    honest = skipped(laid_out(["H1 D1", "H2 D2", "C3 S3", "H4 D4"], options=CATCH), (3, 3, 3, 3))
    reneging = replace(honest, hands=(*honest.hands[:2], cards("C3 H3"), honest.hands[3]))
    told = []
    for table in (honest, reneging):
        lines = []
        for number, name in enumerate(["H4", "C3", "H2", "H1"]):
            events = decided(table, (3, 2, 1, 0)[number], *plays(name))
            table = evolved(CHEAT_TRICK, table, events)
            for viewer in (None, 0, 1, 3):
                lines += [wire.event_out(seen(event, viewer)).SerializeToString() for event in events]
                lines.append(wire.view_out(CHEAT_TRICK.view(table, viewer)).SerializeToString())
                if viewer is not None:
                    lines += [wire.offer_out(choice).SerializeToString() for choice in offered(table, viewer)]
            lines.append(repr(CHEAT_TRICK.actors(table)).encode())
        told.append(lines)
    assert told[0] == told[1]


def test_vetoed_deals_are_opened_at_the_end() -> None:
    """[CHT 10.7] All of them, in one event after the last round was scored; no seed of theirs stands in any before."""
    log = list(walk(CHEAT_TRICK, Options(veto_limit=None), 4, bytes(32)))[-1].log
    (revealed,) = all_of(log, VetoedDealsRevealed)
    assert revealed.deals
    packets = all_of(log, PacketDealt)
    dealt = {(log.index(packet), packet.deal): packet.seed for packet in packets}
    assert {deal.seed for deal in revealed.deals} < set(dealt.values())
    before = b"".join(
        WIRES["cheat_trick"].event_out(seen(event, 0)).SerializeToString() for event in log[: log.index(revealed)]
    )
    assert not any(deal.seed in before for deal in revealed.deals)
    assert len(all_of(log, RoundScored)) == 4


def test_the_deal_of_a_scored_round_is_opened() -> None:
    """[CHT 10.4] To everyone, with the scores: all hands, which with the card turned up are the whole pack."""
    log = list(walk(CHEAT_TRICK, CATCH, 4, bytes(32)))[-1].log
    opened = all_of(log, DealRevealed)
    assert [type(log[log.index(event) - 1]) for event in opened] == [RoundScored] * 4
    for event in opened:
        for viewer in VIEWERS:
            assert seen(event, viewer) == event
        assert sorted([card for hand in event.hands for card in hand] + [event.turned_up]) == list(range(57))
