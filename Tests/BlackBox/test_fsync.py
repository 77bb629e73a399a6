"""A write is answered when it is on the disk, and not before. `fsync_rig.py` shows more of it."""

from __future__ import annotations

from pathlib import Path

from fsync_rig import judge, order, sharing


def test_no_write_is_answered_before_a_sync_that_began_after_it_was_read(tmp_path: Path) -> None:
    verdict, sent = order(tmp_path, connections=16, each=10)
    print(verdict.shown())
    assert verdict.early == [], "\n".join(verdict.early[:5])
    assert verdict.answers >= sent, f"the trace shows {verdict.answers} of {sent} answers"
    assert verdict.syncs > 0


def test_a_commit_is_one_write_of_the_log(tmp_path: Path) -> None:
    """However many pages it changes, up to 128 KiB of them (docs/decisions/0008-gathered-wal-writes.md)."""
    verdict, _ = order(tmp_path, connections=8, each=10)
    print(verdict.shown())
    # The sync of a new log's header is of a write of its own, and making the tables is a long commit.
    assert verdict.writes <= verdict.syncs + 2, verdict.shown()


def test_sixty_four_connections_share_their_syncs(tmp_path: Path) -> None:
    """On a disk that takes 5 ms a sync, so that no machine is too fast for it to show."""
    answered, syncs = sharing(tmp_path, connections=64, seconds=2, slow_disk=0.005)
    print(f"{answered} bumps, {syncs} syncs")
    assert answered / syncs >= 4, f"{answered} bumps took {syncs} syncs"


PEER = "<TCP:[127.0.0.1:1->127.0.0.1:2]>"
READ = f'7 1.0 recvfrom(5{PEER}, "POST /v1/goals HTTP/1.1\\r\\n"..., 9, 0, NULL, NULL) = 9'
WRITTEN = '8 1.0 pwrite64(4</x/goals.sqlite-wal>, "abc"..., 3, 0) = 3'
SYNC = "8 1.0 fdatasync(4</x/goals.sqlite-wal>) = 0"
SYNC_BEGINS = "8 1.0 fdatasync(4</x/goals.sqlite-wal> <unfinished ...>"
SYNC_ENDS = "8 1.0 <... fdatasync resumed>) = 0"
SYNC_FAILS = "8 1.0 fdatasync(4</x/goals.sqlite-wal>) = -1 EIO (Input/output error) (INJECTED)"
ANSWER = f'7 1.0 sendto(5{PEER}, "HTTP/1.1 201 Created\\r\\n"..., 9, 0, NULL, 0) = 9'
REFUSAL = f'7 1.0 sendto(5{PEER}, "HTTP/1.1 503 No\\r\\n"..., 9, 0, NULL, 0) = 9'


def test_the_judge_of_traces_knows_early_from_late() -> None:
    """A test that cannot fail is a defect: traces that the judge must refuse, and those it must not."""
    good = [
        [READ, WRITTEN, SYNC, ANSWER],
        [READ, WRITTEN, SYNC_BEGINS, SYNC_ENDS, ANSWER],
        [READ, SYNC, WRITTEN, SYNC, ANSWER],
        [READ, WRITTEN, SYNC_FAILS, REFUSAL],
    ]
    bad = [
        [READ, ANSWER],
        [READ, WRITTEN, ANSWER],
        [READ, WRITTEN, ANSWER, SYNC],
        [WRITTEN, SYNC, READ, ANSWER],
        [SYNC_BEGINS, READ, SYNC_ENDS, ANSWER],
        [WRITTEN, SYNC_BEGINS, READ, SYNC_ENDS, ANSWER],
        [WRITTEN, READ, SYNC, ANSWER],
        [READ, WRITTEN, SYNC_BEGINS, ANSWER, SYNC_ENDS],
        [READ, WRITTEN, SYNC_FAILS, ANSWER],
    ]
    for trace in good:
        verdict = judge("\n".join(trace))
        assert (verdict.answers, verdict.early) == (1, []), trace
    for trace in bad:
        assert len(judge("\n".join(trace)).early) == 1, trace
