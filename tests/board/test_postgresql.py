"""The board's evening on a real PostgreSQL: as on SQLite, over its kill, and never by two at once."""

import contextlib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from board import postgresql, steps
from board.postgresql import PostgresqlServer
from board.store import BoardLog
from messages.errors import StoreError
from station.config import parse
from tests.board.postgresql import PASSWORD, Postgresql, needed
from tests.board.telling import game_over
from tests.board.test_model import OTHERS, Gaps
from tests.board.wavering import Wavering
from tests.integrations.mosquitto import until

pytestmark = [needed, pytest.mark.slow]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is there is reached, however slow the machine is."""
    monkeypatch.setattr(postgresql, "CONNECT_S", 60)
    monkeypatch.setattr(postgresql, "LOCK_S", 60)


def test_a_second_board_a_wrong_password_and_none_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with Postgresql() as server:
        kept = BoardLog(PostgresqlServer(server.url, server.password_file))
        assert kept.fact("code", "1") == kept.fact("code", "2") == "1"
        monkeypatch.setattr(postgresql, "LOCK_S", 1)
        with pytest.raises(StoreError) as second:
            PostgresqlServer(server.url, server.password_file)
        assert second.value.code == "store/in_use"
        server.kill()
        with pytest.raises(StoreError) as away:
            kept.fact("code", "1")
        assert away.value.message.key == "board/store/unreachable"
        kept.close()
        server.start()
        wrong = tmp_path / "wrong"
        wrong.write_text("wrong")
        with pytest.raises(StoreError, match="password authentication failed"):
            PostgresqlServer(server.url, wrong)
        with pytest.raises(StoreError, match="cannot be read"):
            PostgresqlServer(server.url, tmp_path / "none")


def test_a_board_waits_until_its_connection_that_broke_has_ended():
    """The server learns of that a moment later than the board, which would take itself for a second one."""
    with Postgresql() as server, psycopg.connect(server.url, password=PASSWORD, autocommit=True) as look:
        before = psycopg.connect(server.url, password=PASSWORD, autocommit=True)
        before.execute("SELECT pg_advisory_lock(%s)", (postgresql.LOCK,))
        with ThreadPoolExecutor(1) as pool:
            opened = pool.submit(PostgresqlServer, server.url, server.password_file)
            waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            until(lambda: opened.done() or look.execute(waits).fetchone() == (1,))
            before.close()
            opened.result().close()


def test_both_ends_ask_whether_the_line_still_stands():
    """A cable that is pulled says nothing; the board is neither held by it nor kept out of the database."""
    with Postgresql() as server:
        opened = PostgresqlServer(server.url, server.password_file)
        asked = ("keepalives_idle", "keepalives_interval", "keepalives_count", "user_timeout")
        there = [next(opened.ask(f"SHOW tcp_{each}"))[0] for each in asked]
        assert there == ["10", "5", "3", "25000"]
        assert opened._db is not None
        here = opened._db.info.get_parameters()
        assert [here.get(each) for each in (*asked[:3], "tcp_user_timeout")] == ["10", "5", "3", "25000"]
        opened.close()


class Listening:
    """Stands between board and server; once armed, the next commit arrives there and its answer nowhere."""

    def __init__(self, port: int) -> None:
        self._port, self.armed, self._open = port, False, []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                board, _ = self._door.accept()
                self._open.append(board)
                try:
                    server = socket.create_connection(("127.0.0.1", self._port))
                except OSError:
                    board.close()
                    continue
                self._open.append(server)
                lost = threading.Event()
                for pipe in ((board, server, lost, True), (server, board, lost, False)):
                    threading.Thread(target=self._pass_on, args=pipe, daemon=True).start()

    def _pass_on(
        self, source: socket.socket, target: socket.socket, lost: threading.Event, asks: object
    ) -> None:
        with contextlib.suppress(OSError):
            while said := source.recv(65536):
                if asks and self.armed and b"COMMIT" in said:
                    self.armed = False
                    lost.set()
                if not asks and lost.is_set():  # the answer to the commit: it is done
                    break
                target.sendall(said)
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for each in (self._door, *self._open):
            each.close()


@pytest.mark.thorough
def test_an_evening_by_random_steps_is_as_the_model_says():
    """The same steps as on a file, and the real server is killed, ends the connection, or loses an answer."""
    with Postgresql() as server, contextlib.closing(Listening(server.port)) as between:

        class OnServer(Gaps):
            evenings = 0

            def begun(self) -> None:
                OnServer.evenings += 1
                with psycopg.connect(server.url, password=PASSWORD, autocommit=True) as db:
                    db.execute(f"CREATE DATABASE evening_{self.evenings}".encode())

            def database(self) -> Wavering:
                address = server.url.replace(str(server.port), str(between.port)).rpartition("/")[0]
                return Wavering(PostgresqlServer(f"{address}/evening_{self.evenings}", server.password_file))

            @precondition(lambda self: self.books and self.book.teams)
            @rule(entrant=st.integers(0, 6), absent=st.booleans())
            def server_killed(self, entrant: int, *, absent: bool) -> None:
                """What is done meanwhile is not kept; nor is what tables tell, which comes again."""
                server.kill()
                with pytest.raises(StoreError):
                    self.hall.receive([game_over("cellar", 1, entrant, {"Xenia": 1, "Yann": 2})])
                with pytest.raises(StoreError):
                    self.hall.take(steps.Attend(entrant=0, absent=0 not in self.book.absent))
                server.start()
                self.comes_or_goes(entrant, absent=absent)

            @precondition(lambda self: self.books and self.book.teams)
            @rule(entrant=st.integers(0, 6), absent=st.booleans())
            def connection_ended(self, entrant: int, *, absent: bool) -> None:
                with psycopg.connect(server.url, password=PASSWORD, autocommit=True) as db:
                    db.execute(
                        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s",
                        (f"evening_{self.evenings}",),
                    )
                self.others_play()
                self.comes_or_goes(entrant, absent=absent)

            @precondition(lambda self: self.books and self.book.teams)
            @rule(entrant=st.integers(0, 6), plays=st.booleans())
            def answer_lost(self, entrant: int, *, plays: bool) -> None:
                self.kept.away_in, between.armed = None, True
                if plays:
                    self.others_play()
                else:
                    self.comes_or_goes(entrant, absent=True)
                assert not between.armed

            def others_play(self) -> None:
                self.post.played(OTHERS)
                self.receive(self.post.last())

        run_state_machine_as_test(
            OnServer, settings=settings(max_examples=8, stateful_step_count=20, deadline=None)
        )


def test_an_address_with_a_password_in_it_is_none():
    with pytest.raises(ValueError, match="no address such as"):
        parse({"board": {"database": "postgresql://yacht:secret@league/yacht"}})
    assert parse({"board": {"database": "postgresql://yacht@league/yacht"}}).board.database
