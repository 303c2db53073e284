"""The recount agrees with records written by hand, and names what is wrong with corrupted ones."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cheeseboard.engine.v1 import tables_pb2 as tables
from cheeseboard.games.cheez_tricks.v1 import cheez_tricks_pb2 as cheez
from cheeseboard.scoring.v1 import scoring_pb2
from tests.scoring import hand_made
from tests.scoring.hand_made import THREE, THREE_PLACES, THREE_ROUNDS, TWO, TWO_PLACES, TWO_ROUNDS
from tests.support.recount import assert_scoreboard, recount

Events = list[tables.TableEvent]


def two() -> Events:
    return hand_made.record(TWO_ROUNDS, TWO_PLACES)


def three() -> Events:
    return hand_made.record(THREE_ROUNDS, THREE_PLACES)


def nth(events: Events, kind: str, index: int) -> tables.TableEvent:
    """The index-th event of a kind, from 0."""
    return [event for event in events if event.cheez_tricks.WhichOneof("event") == kind][index]


def inner(events: Events, kind: str, index: int = 0) -> Any:
    return getattr(nth(events, kind, index).cheez_tricks, kind)


def renumbered(events: Events) -> Events:
    for number, event in enumerate(events, 1):
        event.sequence = number
    return events


def refused(options: tables.TableOptions, events: Events, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        recount(options, events)


def test_two_players_as_worked_out_on_paper() -> None:
    counted = recount(TWO, two())
    assert [played.points for played in counted.rounds] == [(0, 3), (0, 0), (7, 0), (4, 8)]
    assert (counted.totals, counted.places) == ((11, 11), (2, 1))
    assert [set(caught) for caught in counted.rounds[1].caught] == [set(), {1}, {0, 1}]


def test_three_players_as_worked_out_on_paper() -> None:
    counted = recount(THREE, three())
    assert [played.points for played in counted.rounds] == [(9, 0, 0), (0, 27, 6), (6, 0, 9)]
    assert (counted.totals, counted.places) == ((15, 27, 15), (2, 1, 2))


def test_what_concerns_only_the_table_is_passed_over() -> None:
    events = two()
    events.insert(30, tables.TableEvent(seat_went_away=tables.SeatWentAway(seat=1)))
    events.insert(31, tables.TableEvent(seat_returned=tables.SeatReturned(seat=1)))
    events.append(tables.TableEvent(rematch_wanted=tables.RematchWanted(seat=0)))
    assert recount(TWO, renumbered(events)).totals == (11, 11)


def test_scores_and_revealed_deal_may_come_in_either_order() -> None:
    events = two()
    for number in range(4):
        index = events.index(nth(events, "round_scored", number))
        events[index], events[index + 1] = events[index + 1], events[index]
    assert recount(TWO, renumbered(events)).totals == (11, 11)


def test_a_record_read_by_a_seat_shows_its_own_hands() -> None:
    events = three()
    for number in range(3):
        inner(events, "cards_dealt", number).hand.extend(hand_made.cards(THREE_ROUNDS[number].hands[1])[::-1])
    assert recount(THREE, events).totals == (15, 27, 15)
    inner(events, "cards_dealt", 2).hand[0].CopyFrom(hand_made.cards("B1")[0])
    refused(THREE, events, "the hand shown at the deal")


def test_used_cats_come_back_only_when_fewer_than_three_are_left() -> None:
    """A custom deck of three cats is used up by every round; the deck of twelve by the whole game."""
    nobody: list[tuple[int, list[int]]] = [(0, []), (1, []), (2, [])]
    scores = [[(7, 14), (3, 6)], [(0, 0), (10, 20)], [(7, 14), (3, 6)], [(2, 4), (8, 16)]]
    totals = [[14, 6], [14, 26], [28, 32], [32, 48]]
    # Seat 1 has the fewest points after round 1, seat 0 later; the same cards and suits as before.
    rounds = tuple(
        replace(
            played,
            cats=("siamese R7", "siamese B7", "tuxedo 4") if number < 3 else ("siamese B7", "siamese B3", "tuxedo 4"),
            chooser=(None, 1, 0, 0)[number],
            at_once={},
            at_end=nobody,
            scores=[(tricks, 0, 2, points) for tricks, points in scores[number]],
            totals=totals[number],
        )
        for number, played in enumerate(TWO_ROUNDS)
    )
    few = hand_made.options(2, cheez.LEVEL_WILD_CAT, cat_deck=[hand_made.cat(text) for text in rounds[0].cats])
    # In round 4 Roquefort 7 is in nobody's hand either, so the first three cats could come again.
    again = (*rounds[:3], replace(rounds[3], cats=rounds[0].cats))
    assert recount(few, hand_made.record(again, [2, 1])).totals == (32, 48)
    refused(TWO, hand_made.record(again, [2, 1]), "not in the deck of cats any more")
    refused(few, hand_made.record(rounds, [2, 1]), "not in the deck of cats any more, or never")


def _swap(first: int, second: int) -> Callable[[Events], None]:
    """Exchange the cards of two plays."""

    def corrupt(events: Events) -> None:
        one, other = inner(events, "card_played", first).card, inner(events, "card_played", second).card
        kept = cheez.Card(suit=one.suit, value=one.value)
        one.CopyFrom(other)
        other.CopyFrom(kept)

    return corrupt


def _set(kind: str, index: int, **fields: object) -> Callable[[Events], None]:
    """Give fields of one event other values."""

    def corrupt(events: Events) -> None:
        event = inner(events, kind, index)
        for name, value in fields.items():
            if isinstance(value, list):
                del getattr(event, name)[:]
                getattr(event, name).extend(value)
            elif hasattr(value, "CopyFrom"):
                getattr(event, name).CopyFrom(value)
            else:
                setattr(event, name, value)

    return corrupt


def _drop(kind: str, index: int) -> Callable[[Events], None]:
    def corrupt(events: Events) -> None:
        events.remove(nth(events, kind, index))
        renumbered(events)

    return corrupt


def _move(kind: str, index: int, by: int) -> Callable[[Events], None]:
    def corrupt(events: Events) -> None:
        event = nth(events, kind, index)
        at = events.index(event)
        events.insert(at + by, events.pop(at))
        renumbered(events)

    return corrupt


def _score(index: int, seat: int, name: str, value: int) -> Callable[[Events], None]:
    def corrupt(events: Events) -> None:
        setattr(inner(events, "round_scored", index).score.seats[seat], name, value)

    return corrupt


def _deal(events: Events) -> None:
    """Two seats are said to have been dealt the same card."""
    deal = inner(events, "deal_revealed", 0)
    deal.hands[0].cards[0].CopyFrom(deal.hands[1].cards[0])


def _scored_cat(events: Events) -> None:
    del inner(events, "round_scored", 0).score.cats[0].caught_seats[:]


def _cats(*texts: str) -> list[cheez.Cat]:
    return [hand_made.cat(text) for text in texts]


def _card(text: str) -> cheez.Card:
    return hand_made.cards(text)[0]


# Plays count from 0 over the game; two a trick.
CORRUPTIONS: dict[str, tuple[Callable[[Events], None], str]] = {
    "a card of nobody's": (_set("card_played", 0, card=_card("B1")), "seat 0 does not hold Card"),
    "a card played twice": (_set("card_played", 2, card=_card("S1")), "seat 0 does not hold"),
    "another seat's card": (_swap(0, 1), "seat 0 does not hold"),
    # Round 1, trick 8: seat 1 answers Roquefort 3 with Parmesan 1 and plays Roquefort 4 to the first trick instead.
    "suit not followed": (_swap(1, 15), "seat 1 must follow suit"),
    "out of turn": (_set("card_played", 1, seat=0), "turn of seat 1"),
    "the loser leads": (_set("card_played", 2, seat=1), "turn of seat 0"),
    "the wrong winner": (_set("trick_won", 0, seat=1), "seat 0 wins trick 1, not 1"),
    # Round 3, trick 2: Swiss 1 is trump and beats the Parmesan led.
    "trump overlooked": (_set("trick_won", 21, seat=1), "seat 0 wins trick 2, not 1"),
    "the wrong number of a trick": (_set("trick_won", 4, trick=4), "trick 5 is complete"),
    "a card missing": (_drop("card_played", 0), "turn of seat 0"),
    "a trick's end missing": (_drop("trick_won", 0), "trick_won is due, card_played came"),
    "an at-once cat passed over": (_drop("cat_decided", 0), "cat_decided is due"),
    "an at-once cat decided late": (_move("cat_decided", 0, 1), "cat_decided is due, card_played came"),
    "an at-once cat decided early": (_move("cat_decided", 0, -1), "trick_won is due, cat_decided came"),
    "the wrong seat caught at once": (_set("cat_decided", 1, seats=[1]), "'black', 3.* catches .0., not .1."),
    "the wrong cat decided": (_set("cat_decided", 0, cat_index=0), "cat 1 is to be decided now"),
    "no such cat": (_set("cat_decided", 0, cat_index=3), "there is no cat 3"),
    "a tuxedo that catches nobody": (_set("cat_decided", 2, seats=[]), "'tuxedo', 3.* catches .1., not"),
    "a card that nobody took catches": (_set("cat_decided", 3, seats=[1]), "siamese.* catches .., not .1."),
    "one of those who tie gets away": (_set("cat_decided", 5, seats=[1]), "orange.* catches .1, 0., not .1."),
    "ties not listed from the starter": (_set("cat_decided", 5, seats=[0, 1]), "orange.* catches .1, 0."),
    "cats not in their order": (_move("cat_decided", 5, -1), "lie before cat 2"),
    "a cat never decided": (_drop("cat_decided", 5), "without a word about .*orange"),
    "a cat decided twice": (_set("cat_decided", 5, cat_index=1), "cat 1 was decided before"),
    "the wrong round played": (_set("round_played", 1, round=1), "round 2 was played, not 1"),
    "too many points": (_score(0, 1, "points", 6), "seat 1 has .*3, 1, 1, 3.*, not .*3, 1, 1, 6"),
    "a wrong worth": (_score(0, 1, "points_per_trick", 2), "seat 1 has"),
    "a cat too few": (_score(0, 0, "cats", 1), "seat 0 has"),
    "a trick too many": (_score(0, 0, "tricks", 8), "seat 0 has"),
    "wrong totals": (_set("round_scored", 2, totals=[7, 4]), r"totals are \(7, 3\), not \(7, 4\)"),
    "a capture lost in the scores": (_scored_cat, "the scored cats are"),
    "wrong places": (_set("game_ended", 0, places=[1, 1]), r"places are \(2, 1\), not \(1, 1\)"),
    "trump of round 1 chosen": (_set("trump_set", 0, seat=0), "drawn, not chosen"),
    "trump named by the wrong seat": (_set("trump_set", 1, seat=1), "seat 0 chooses trump"),
    "trump named by nobody": (lambda events: inner(events, "trump_set", 1).ClearField("seat"), "seat 0 chooses"),
    "another trump": (_set("trump_set", 2, suit=4), "seat 1 wins trick 2, not 0"),
    "no trump": (_set("trump_set", 2, suit=0), "0 is no suit"),
    "the token does not move": (_set("round_started", 1, starter=0), "seat 1 starts, not 0"),
    "no such starter": (_set("round_started", 0, starter=2), "there is no seat 2 to start"),
    "two cats": (_set("round_started", 0, cats=_cats("black 3", "white 2")), "three cats lie open, not 2"),
    "a cat twice": (_set("round_started", 0, cats=_cats("black 3", "black 3", "white 2")), "lies there twice"),
    "a used cat": (_set("round_started", 3, cats=_cats("black 3", "tuxedo 4", "siamese B7")), "not in the deck"),
    "an unknown cat": (_set("round_started", 0, cats=_cats("black 9", "white 2", "tuxedo 3")), "black', 9"),
    "a cat for more players": (_set("round_started", 0, cats=_cats("grey 8", "white 2", "tuxedo 3")), "grey"),
    "a card dealt twice": (_deal, "is not the whole deck"),
    "a deal never revealed": (_drop("deal_revealed", 2), "the deal of round 3 is nowhere revealed"),
    "a hand too small": (_set("cards_dealt", 0, hand_count=9), "10 cards a hand, not 9"),
    "too few set aside": (_set("cards_dealt", 0, set_aside_count=7), "8 set aside, not 7"),
    "too few rounds": (_set("game_started", 0, rounds=3), "the game has 4 rounds"),
    "no end": (_drop("game_ended", 0), "after the last event: game_ended is due"),
    "something after the end": (_move("game_ended", 0, -1), "deal_revealed is due, game_ended came"),
    "engine's card not the lowest": (_set("card_played", 36, by_engine=True), "absent player .*value=1"),
    "engine's trump not the longest suit": (_set("trump_set", 1, by_engine=True), "absent player 1 is named, not 3"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_record_is_refused_by_name(name: str) -> None:
    corrupt, message = CORRUPTIONS[name]
    events = two()
    corrupt(events)
    refused(TWO, events, message)


def test_what_the_engine_does_for_absent_players_is_the_lowest_legal_card_and_the_longest_suit() -> None:
    events = two()
    inner(events, "card_played", 0).by_engine = True
    inner(events, "trump_set", 2).by_engine = True
    assert recount(TWO, events).totals == (11, 11)


def test_a_gap_in_the_numbers_is_seen() -> None:
    events = two()
    del events[40]
    refused(TWO, events, "event 46 stands where 45 is due")


def test_a_voided_game_and_an_empty_record_have_no_recount() -> None:
    events = two()
    events.append(tables.TableEvent(game_voided=tables.GameVoided()))
    refused(TWO, renumbered(events), "voided")
    refused(TWO, [], "empty")


def test_options_bind_the_record() -> None:
    house = hand_made.options(2, cheez.LEVEL_HOUSE_CAT)
    refused(house, two(), "not in the deck of cats any more, or never.*orange")
    refused(hand_made.options(2, cheez.LEVEL_WILD_CAT, starting_seat=1), two(), "seat 1 starts, not 0")
    refused(hand_made.options(4, cheez.LEVEL_WILD_CAT), two(), "2 hands were dealt to 4 seats")


def three_board() -> scoring_pb2.GetScoreboardResponse:
    """The scoreboard of the three-player game, captures and worths written out by hand."""
    worth = [[1, 2, 0], [2, 3, 2], [2, 2, 1]]
    board = scoring_pb2.GetScoreboardResponse(totals=[15, 27, 15], places=[2, 1, 2])
    caught = [[[2], [0], [2]], [[1], [1], [1]], [[], [2], []]]
    for number, played in enumerate(THREE_ROUNDS):
        facts = cheez.RoundFacts(
            tricks=[score[0] for score in played.scores], captures=[cheez.Capture(seats=s) for s in caught[number]]
        )
        board.rounds.add(
            round=number + 1,
            points=[score[3] for score in played.scores],
            totals=played.totals,
            facts=scoring_pb2.RoundFacts(cheez_tricks=facts),
            detail=scoring_pb2.ScoreDetail(cheez_tricks=cheez.ScoreDetail(points_per_trick=worth[number])),
        )
    return board


def test_a_scoreboard_is_compared_entry_by_entry() -> None:
    counted = recount(THREE, three())
    assert_scoreboard(counted, three_board())

    def differs(change: Callable[[scoring_pb2.GetScoreboardResponse], object], message: str) -> None:
        board = three_board()
        change(board)
        with pytest.raises(AssertionError, match=re.escape(message)):
            assert_scoreboard(counted, board)

    def put(field: str, value: int) -> Callable[[scoring_pb2.GetScoreboardResponse], object]:
        return lambda board: getattr(board.rounds[1], field).__setitem__(0, value)

    differs(lambda board: board.rounds.pop(), "number of rounds: 3 expected, 2 found")
    differs(lambda board: setattr(board.rounds[0], "round", 2), "round 1: its number")
    differs(put("points", 1), "round 2: points")
    differs(put("totals", 1), "round 2: totals")
    differs(lambda board: board.rounds[1].facts.cheez_tricks.tricks.__setitem__(0, 1), "round 2: tricks")
    differs(lambda board: board.rounds[2].facts.cheez_tricks.captures[0].seats.append(1), "round 3: captures")
    differs(lambda b: b.rounds[2].detail.cheez_tricks.points_per_trick.__setitem__(0, 1), "round 3: worth of a trick")
    differs(lambda board: board.totals.__setitem__(0, 14), "totals: (15, 27, 15)")
    differs(lambda board: board.places.__setitem__(0, 1), "places: (2, 1, 2)")
