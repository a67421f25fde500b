"""A pytest plugin for `lab.mutants`: the tests are collected once, and each change is tried in a fork.

A run without a change writer which tests reach which function and how long they take. Every change is then
tried by the tests that reach it until one fails: first those that noticed another change of that function,
then those that noticed one nearby, then quick ones about few functions, then those that take least for each
function they reach. Tests that take long are left out, and those that come after that many seconds of others:
what they alone notice is worth a quick one.

YACHT_MUTANTS names a JSON file with the changes (`Change`). To the file YACHT_VERDICTS goes a line of JSON
for each as soon as it is known: its key, a `Verdict`, and the test that noticed it. What lives is printed.
"""

import gc
import json
import os
import re
import resource
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial, wraps
from itertools import accumulate, starmap
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TextIO

import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation import trampoline

CORES = int(os.environ.get("CORES", "2"))
UNDER_TEST = "MUTANT_UNDER_TEST"
"""Where mutmut looks which copy of a function runs, in processes that tests start."""
PATIENCE = 10
"""How many times as long as without the change a test may take, in seconds of processor time."""
LONG_S = 1.0
"""Tests that take more seconds of processor time are left out."""
ENOUGH_S = 10.0
"""A change that tests of this many seconds of processor time do not notice lives."""
HANGS_S = 300
"""Seconds after which a test that waits for something is ended."""
MEMORY_BYTES = 4 << 30
NEAR = 6
"""How many tests that noticed changes of the same module are tried before the others."""
QUICK = 100
"""How many of those that are quick and about few functions come next."""
COPY = re.compile(r"__mutmut_\d")


class Verdict(StrEnum):
    """What becomes of a change. One whose tests do not come to an end is noticed, too."""

    NOTICED = "noticed"
    HANGS = "hangs"
    LIVES = "lives"
    UNREACHED = "unreached"  # no test runs the function once the modules are imported


class Active:
    """Which copy runs in this process, if any. reached: functions that ran, while that is written down."""

    module = name = ""
    reached: ClassVar[set[str] | None] = None


def in_turn(copies: dict[str, Callable[..., Any]], is_classmethod: bool = False) -> Callable[..., Any]:  # noqa: FBT001, FBT002 - mutmut's
    """What mutmut sets before each function to run one of its copies instead, at a tenth of the cost."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        module = function.__module__

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            original = copies["_mutmut_orig"]
            if Active.reached is not None:
                Active.reached.add(f"{module}.{original.__name__.rpartition('__mutmut_')[0]}")
            chosen = copies.get(Active.name, original) if Active.module == module else original
            if is_classmethod:
                return getattr(args[0], chosen.__name__)(*args[1:], **kwargs)
            return chosen(*args, **kwargs)

        return called

    return decorated


trampoline.wrap_in_trampoline = in_turn


class TestFailedError(Exception):
    """A test failed."""


class TakesLongError(KeyboardInterrupt):
    """A test takes longer than LONG_S. Of the one kind that pytest lets through."""


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
    changes = json.loads(Path(os.environ["YACHT_MUTANTS"]).read_text(encoding="utf-8"))
    with Path(os.environ["YACHT_VERDICTS"]).open("a", encoding="utf-8") as file:
        trials = Trials(items, seconds, reached, file)
        for number, change in enumerate(starmap(Change, changes)):
            if number % 100 == 0:
                print(f"{number} of {len(changes)}, {trials.alive} live", flush=True)
            if tests := reached.get(change.function):
                trials.begin(change, tests)
            else:
                trials.write(change, Verdict.UNREACHED)
        while trials.running:
            trials.wait()
    return True


Timed = Sequence[tuple[pytest.Item, float]]
"""Tests in their order, each with the seconds of processor time it takes."""


class Change(NamedTuple):
    """name: of the copy. function: it is a copy of. key: for YACHT_VERDICTS. shown: where it lives."""

    name: str
    function: str
    key: str
    shown: str


class Trials:
    """As many changes as there are cores are tried at a time, each in a process of its own.

    seconds: what each test takes without a change. reached: function -> its tests. file: where verdicts go.
    """

    def __init__(
        self,
        items: dict[str, pytest.Item],
        seconds: dict[str, float],
        reached: dict[str, list[str]],
        file: TextIO,
    ) -> None:
        self.items = items
        self.seconds = seconds
        self.file = file
        breadth = Counter(test for tests in reached.values() for test in tests)
        self.cost_per_function = {test: seconds[test] / count for test, count in breadth.items()}
        """Test -> the seconds it takes for each function it reaches."""
        self.wide = {test: seconds[test] * count for test, count in breadth.items()}
        """Test -> little where it is quick, and about few functions."""
        self.running: dict[int, tuple[Change, int, Timed]] = {}
        """Process -> change, the pipe with the name of the failed test, and the tests run."""
        self.trusted: set[str] = set()
        """Tests that pass without a change, when tried like one."""
        self.noticing: dict[str, dict[str, int]] = defaultdict(dict)
        """Function, or module -> the tests that noticed changes of it, each with when it last did."""
        self.noticed = 0
        self.alive = 0

    def begin(self, change: Change, tests: Sequence[str]) -> None:
        """Try a change, as soon as a core is free."""
        if len(self.running) == CORES:
            self.wait()
        own, near = self.noticing[change.function], self.noticing[module(change.function)]
        last = sorted(near, key=lambda test: near[test], reverse=True)[:NEAR]
        quick = {*sorted(tests, key=self.wide.__getitem__)[:QUICK]}
        cost = {
            test: (test not in quick, (self.wide if test in quick else self.cost_per_function)[test])
            for test in tests
        }
        order = sorted(tests, key=lambda test: (-own.get(test, 0), test not in last, *cost[test]))
        before = accumulate((self.seconds[test] for test in order), initial=0.0)
        timed = [
            (self.items[test], self.seconds[test])
            for test, at_s in zip(order, before, strict=False)
            if at_s < ENOUGH_S
        ]
        reader, writer = os.pipe()
        self.running[forked(partial(trial, change.name, timed, writer))] = change, reader, timed
        os.close(writer)

    def wait(self) -> None:
        """Until one of the changes has been tried."""
        child, status = os.wait()
        change, reader, timed = self.running.pop(child)
        with open(reader, encoding="utf-8") as pipe:  # noqa: PTH123 - no path
            test = pipe.read()
        if test in self.items:
            self.trust(test, timed)
            self.noticed += 1
            for where in (change.function, module(change.function)):
                self.noticing[where][test] = self.noticed
        if os.WIFSIGNALED(status):
            self.write(change, Verdict.HANGS, test)
        else:
            self.write(change, Verdict.NOTICED if status else Verdict.LIVES, test)

    def trust(self, test: str, timed: Timed) -> None:
        """Once for each test that notices a change: it passes without any, after the same others."""
        if test in self.trusted:
            return
        until = next(number for number, (item, _) in enumerate(timed, start=1) if item.nodeid == test)
        child = forked(partial(trial, "", timed[:until]))
        if exit_code(child) != 0:
            pytest.exit(f"{test} fails without any change, when tried like one.", returncode=1)
        self.trusted.add(test)

    def write(self, change: Change, verdict: Verdict, test: str = "") -> None:
        """Record the verdict on a change."""
        self.file.write(json.dumps({"key": change.key, "verdict": verdict, "test": test}) + "\n")
        self.file.flush()
        if verdict == Verdict.LIVES:
            self.alive += 1
            print(change.shown, flush=True)


def module(function: str) -> str:
    """The module of a function."""
    return function.rpartition(".")[0]


def unchanged(items: dict[str, pytest.Item]) -> tuple[dict[str, list[str]], dict[str, float]]:
    """Function -> the quick tests that reach it; test -> the seconds of processor time it takes."""
    reader, writer = os.pipe()

    def watched() -> None:
        reached: dict[str, list[str]] = {}
        seconds, failed = {}, []
        signal.signal(signal.SIGPROF, _takes_long)
        for test, item in items.items():
            began = time.process_time()
            Active.reached = set()
            try:
                signal.setitimer(signal.ITIMER_PROF, 2 * LONG_S)  # watched it takes longer
                run(item)
            except TestFailedError:
                failed.append(test)
                continue
            except TakesLongError:
                item.session._setupstate.teardown_exact(None)  # noqa: SLF001 - pytest has no other way to it
                continue
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            seconds[test] = time.process_time() - began
            for function in Active.reached:
                reached.setdefault(function, []).append(test)
        os.write(writer, json.dumps([reached, seconds, failed]).encode())

    child = forked(watched)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:  # noqa: PTH123 - no path
        answer = pipe.read()
    if exit_code(child) != 0:
        pytest.exit("The tests fail without any change.", returncode=1)
    reached, seconds, failed = json.loads(answer)
    for test in failed:  # one before it may have been broken off at a bad moment
        print(f"left out: {test}", flush=True)
        if exit_code(forked(partial(trial, "", [(items[test], LONG_S)]))) != 0:
            pytest.exit(f"{test} fails without any change.", returncode=1)
    print(f"{len(seconds)} of {len(items)} tests are quick: {sum(seconds.values()):.0f} s", flush=True)
    return reached, seconds


def _takes_long(_signal: int, _frame: object) -> None:
    raise TakesLongError


def exit_code(child: int) -> int:
    """That of a process, once it has ended."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def trial(name: str, tests: Timed, writer: int | None = None) -> None:
    """Run tests, of which the seconds are known, with that change made, until one fails.

    writer: a pipe, into which that one's name is written. What a session or a module sets up for its tests is
    kept from one test to the next.
    """
    os.environ[UNDER_TEST] = name
    Active.module, _, Active.name = name.rpartition(".")
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    following = (*(item for item, _ in tests[1:]), None)
    for (item, seconds), after in zip(tests, following, strict=True):
        limit_s = int(time.process_time() + PATIENCE * (1 + seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, resource.RLIM_INFINITY))
        signal.alarm(HANGS_S)
        try:
            run(item, after)
        except BaseException:
            if writer is not None:
                os.write(writer, item.nodeid.encode())
            raise


def run(item: pytest.Item, after: pytest.Item | None = None) -> None:
    """Run a test, and keep what the one after it needs too. Raises TestFailedError."""
    if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
        item.session._setupstate.teardown_exact(None)  # noqa: SLF001 - pytest has no other way to it
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
