"""Settings and logs: a wrong variable is named without a traceback; a log line quotes no exception."""

import json
import os
import subprocess
import sys

import pytest

from engine_service.settings import EngineSettings
from scoring_service.settings import ScoringSettings
from service_runtime.setting_names import NAMES, misspelt
from service_runtime.stack import StackSettings


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, timeout=30
    )


LOAD = "from service_runtime.settings import *; print(load(RuntimeSettings).drain_seconds)"


def test_variables_set_settings() -> None:
    assert python(LOAD, CHEESEBOARD_DRAIN_SECONDS="2.5").stdout == "2.5\n"


def test_a_wrong_setting_is_named_without_its_value_or_a_traceback() -> None:
    ended = python(LOAD, CHEESEBOARD_PARTITIONS="many", CHEESEBOARD_LOG_LEVEL="loud")
    assert ended.returncode == 2
    lines = sorted(ended.stderr.splitlines())
    assert len(lines) == 2, ended.stderr
    assert lines[0].startswith("Setting CHEESEBOARD_LOG_LEVEL: ")
    assert lines[1].startswith("Setting CHEESEBOARD_PARTITIONS: Input should be a valid integer")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"CHEESEBOARD_REDIS_URL": "http://secret@redis"}, "CHEESEBOARD_REDIS_URL"),
        ({"CHEESEBOARD_REDIS_URL": "redis://:secret@redis:x"}, "CHEESEBOARD_REDIS_URL"),
        ({"CHEESEBOARD_IDENTITY_FILE": "gone.json"}, "CHEESEBOARD_IDENTITY_FILE"),
        ({"CHEESEBOARD_TLS_KEY": __file__}, "CHEESEBOARD_TLS_CERTIFICATE and CHEESEBOARD_TLS_KEY"),
        ({"CHEESEBOARD_TLS_CLIENT_CA": __file__}, "CHEESEBOARD_TLS_CLIENT_CA"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(settings: dict[str, str], named: str) -> None:
    ended = python(LOAD, **settings)
    assert ended.returncode == 2
    assert named in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert "secret" not in ended.stderr


LOG = """
import logging
from service_runtime import logs
logs.configure("engine", "info")
log = logs.logger("cards")
def deal(): raise ValueError(f"seed {4700 + 11}")
for report in (log.exception, logging.getLogger("library").exception):
    try:
        try: deal()
        except ValueError as cause: raise KeyError(str(cause)) from cause
    except KeyError: report("dealing failed")
log.debug("not shown")
"""


def test_lines_are_json_and_tell_where_an_exception_was_raised_but_not_its_text() -> None:
    lines = [json.loads(line) for line in python(LOG).stdout.splitlines()]
    assert [(line["event"], line["service"], line["level"]) for line in lines] == [
        ("dealing failed", "engine", "error")
    ] * 2
    for line in lines:
        assert "in deal" in line["exception"]
        assert "KeyError" in line["exception"]
        assert "4711" not in json.dumps(line)


def test_every_setting_of_every_process_has_its_name_in_the_list() -> None:
    every = (EngineSettings, ScoringSettings, StackSettings)
    assert {name.upper() for settings in every for name in settings.model_fields} == NAMES


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("CHEESEBOARD_REDIS_URI", "CHEESEBOARD_REDIS_URL"),
        ("CHEESEBOARD_GUEST", "CHEESEBOARD_GUESTS"),
        ("cheeseboard_drain_second", "CHEESEBOARD_DRAIN_SECONDS"),
        ("CHEESEBOARD_TLS_CERTIFICAT", "CHEESEBOARD_TLS_CERTIFICATE"),
    ],
)
def test_a_misspelt_variable_is_named_with_the_one_that_was_meant(variable: str, meant: str) -> None:
    assert misspelt([variable, "PATH"]) == [f"{variable} is no setting; is {meant} meant?"]


def test_names_of_others_are_none_of_our_business() -> None:
    """Kubernetes sets variables for each of its services; other processes of ours have settings of their own."""
    kubernetes = ("ENGINE_SERVICE_HOST", "ENGINE_SERVICE_PORT", "ENGINE_PORT", "ENGINE_PORT_50051_TCP_ADDR")
    assert misspelt(f"CHEESEBOARD_{name}" for name in (*kubernetes, "PLAY_HOME", "STOP_WITH_PARENT", *NAMES)) == []


def test_a_service_says_so_once_when_it_starts() -> None:
    code = (
        "from service_runtime import service; from service_runtime.settings import RuntimeSettings\n"
        "async def serve(settings, stopping): pass\n"
        "service.main('test', RuntimeSettings, serve)"
    )
    (line,) = python(code, CHEESEBOARD_REDIS_URI="redis://:secret@there").stdout.splitlines()
    said = json.loads(line)
    assert (said["level"], said["event"]) == (
        "warning",
        "CHEESEBOARD_REDIS_URI is no setting; is CHEESEBOARD_REDIS_URL meant?",
    )
