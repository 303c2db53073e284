"""Settings and logs: a wrong variable is named without a traceback; a log line quotes no exception."""

import json
import os
import subprocess
import sys

import pytest


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
