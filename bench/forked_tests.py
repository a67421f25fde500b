"""A pytest plugin for `bench.mutants`: the tests are collected once, and each change is tried in a fork.

A run without a change tells which tests reach which function and how long they take. Every change is then
tried by the tests that reach it, the quickest first, until one fails. Tests that take long are left out: what
they alone notice is worth a quick one.

YACHT_MUTANTS names a JSON file, name of a change -> function it is made in. Into the file YACHT_NOTICED goes
what became of each: "noticed", "lives", or "unreached" where no test runs the function.
"""

import gc
import json
import os
import re
import resource
import signal
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from mutmut.state import state

CORES = int(os.environ.get("CORES", "2"))
UNDER_TEST = "MUTANT_UNDER_TEST"
"""Where mutmut looks which copy of a function runs; "stats" lets it write down which functions do."""
PATIENCE = 10
"""How many times as long as without the change its tests may take; one that hangs is noticed, too."""
LONG_S = 2.0
"""Tests that take more seconds of processor time are left out."""
HANGS_S = 600
COPY = re.compile(r"__mutmut_\d")


class TestFailedError(Exception):
    """A test failed."""


def pytest_configure() -> None:
    """No change while tests are collected."""
    os.environ[UNDER_TEST] = ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Doctests once for each function, not for every copy of it."""
    items[:] = [item for item in items if not COPY.search(item.nodeid)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of running the tests once."""
    items = {item.nodeid: item for item in session.items}
    gc.freeze()
    reached, seconds = unchanged(items)
    asked = json.loads(Path(os.environ["YACHT_MUTANTS"]).read_text(encoding="utf-8"))
    verdicts = dict.fromkeys(asked, "unreached")
    running: dict[int, str] = {}
    for number, (name, function) in enumerate(asked.items()):
        if number % 100 == 0:
            print(f"{number} of {len(asked)}, {[*verdicts.values()].count('lives')} live", flush=True)
        if tests := sorted(reached.get(function, ()), key=lambda test: seconds[test]):
            if len(running) == CORES:
                wait(running, verdicts)
            limit_s = int(PATIENCE * (1 + sum(seconds[test] for test in tests)))
            running[forked(partial(trial, name, limit_s, [items[test] for test in tests]))] = name
    while running:
        wait(running, verdicts)
    Path(os.environ["YACHT_NOTICED"]).write_text(json.dumps(verdicts), encoding="utf-8")
    return True


def unchanged(items: dict[str, pytest.Item]) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Function -> the quick tests that reach it; test -> the seconds of processor time it takes."""
    file = Path(os.environ["YACHT_NOTICED"])

    def watched() -> None:
        reached: dict[str, list[str]] = {}
        seconds = {}
        os.environ[UNDER_TEST] = "stats"
        for test, item in items.items():
            began = time.process_time()
            state()._stats.clear()  # noqa: SLF001 - mutmut has no other way to it
            run([item])
            seconds[test] = time.process_time() - began
            for function in state()._stats:  # noqa: SLF001
                reached.setdefault(function, []).append(test)
        file.write_text(json.dumps([reached, seconds]), encoding="utf-8")

    if exit_code(forked(watched)) != 0:
        pytest.exit("The tests fail without any change.", returncode=1)
    reached, seconds = json.loads(file.read_text(encoding="utf-8"))
    quick = [test for test in items if seconds[test] < LONG_S]
    if exit_code(forked(partial(trial, "", HANGS_S, [items[test] for test in quick]))) != 0:
        pytest.exit("The tests fail without any change, when tried like one.", returncode=1)
    return {function: [*{*tests} & {*quick}] for function, tests in reached.items()}, seconds


def exit_code(child: int) -> int:
    """That of a process, once it has ended."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def trial(name: str, limit_s: int, items: Iterable[pytest.Item]) -> None:
    """The tests with that change made. limit_s: seconds of processor time."""
    os.environ[UNDER_TEST] = name
    signal.alarm(HANGS_S)
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    run(items)


def run(items: Iterable[pytest.Item]) -> None:
    """Run tests until one fails. Raises TestFailedError."""
    for item in items:
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
            raise TestFailedError(item.nodeid)


def forked(work: Callable[[], None]) -> int:
    """Do it in a process of its own, whose exit code is 0 where it came to its end; gives its number."""
    if child := os.fork():
        return child
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        work()
    except BaseException:  # noqa: BLE001 - whatever a change brings about has been noticed
        os._exit(1)
    os._exit(0)


def wait(running: dict[int, str], verdicts: dict[str, str]) -> None:
    """Until one of the changes has been tried."""
    child, status = os.wait()
    verdicts[running.pop(child)] = "noticed" if status else "lives"
