"""What Python's zoneinfo says about time zones, for comparison with GoalsCore.

    python3 zoneinfo_vectors.py offsets SEED FOLDER
    python3 zoneinfo_vectors.py days SEED FOLDER

reads the TZif files in FOLDER and writes to standard output. The same seed over the same files
gives the same vectors.

`offsets`, binary and little-endian: for each zone the length of its name (1 byte), the name, how
many instants follow (4 bytes), and for each the second since 1970 (8 bytes) and the offset in
seconds (4 bytes). A length of 0 and the number of zones (4 bytes) end it.

`days`, text: lines of zone, day start in minutes, date, and the second since 1970 at which the
day starts, or `-` where the zone has no such day. `end` and the number of lines end it.
"""

from __future__ import annotations

import datetime
import random
import struct
import sys
import zoneinfo
from collections.abc import Iterator
from pathlib import Path

DAY = 86_400


def second_of(year: int, month: int = 1, day: int = 1) -> int:
    return (datetime.date(year, month, day) - datetime.date(1970, 1, 1)).days * DAY


def clock(zone: datetime.tzinfo, second: int) -> datetime.datetime:
    """What the zone's clocks show, as a datetime."""
    return datetime.datetime.fromtimestamp(second, zone)


def offset(zone: datetime.tzinfo, second: int) -> int:
    delta = clock(zone, second).utcoffset()
    assert delta is not None
    return delta.days * DAY + delta.seconds


def changes(zone: datetime.tzinfo, first: int, last: int) -> list[int]:
    """The seconds from first to last at which the offset changes, if no two are in one month."""
    found = []
    before = offset(zone, first)
    for step in range(first + 30 * DAY, last, 30 * DAY):
        after = offset(zone, step)
        if after != before:
            low, high = step - 30 * DAY, step
            while high - low > 1:
                middle = (low + high) // 2
                if offset(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            found.append(high)
        before = after
    return found


def names(folder: Path) -> list[str]:
    every = sorted(zoneinfo.available_timezones() - {"localtime"})
    here = [name for name in every if (folder / name).is_file()]
    if len(here) < 300:
        sys.exit(f"only {len(here)} time zones in {folder}: is tzdata installed?")
    return here


def instants(zone: datetime.tzinfo, dice: random.Random) -> list[int]:
    """A thousand: anywhere, in the far future, and to both sides of changes."""
    chosen = [dice.randrange(second_of(1840), second_of(2037)) for _ in range(250)]
    chosen += [dice.randrange(second_of(2037), second_of(2401)) for _ in range(450)]
    tries = 0
    while len(chosen) < 1000:
        first, last = (1900, 2037) if tries % 2 else (2037, 2399)
        year = dice.randrange(first, last)
        near = changes(zone, second_of(year), second_of(year + 1)) if tries < 60 else []
        for change in near or [dice.randrange(second_of(first), second_of(last))]:
            chosen += [change - 1, change]
        tries += 1
    return chosen[:1000]


def write_offsets(seed: str, folder: Path) -> None:
    out = sys.stdout.buffer
    every = names(folder)
    for name in every:
        zone = zoneinfo.ZoneInfo(name)
        chosen = instants(zone, random.Random(f"{seed} {name}"))
        text = name.encode()
        out.write(struct.pack("<B", len(text)) + text + struct.pack("<I", len(chosen)))
        out.write(b"".join(struct.pack("<qi", second, offset(zone, second)) for second in chosen))
    out.write(struct.pack("<BI", 0, len(every)))


# Dates around a skipped or a repeated day.
LINE_CROSSINGS = [
    ("Pacific/Apia", (2011, 12, 30)),
    ("Pacific/Apia", (1892, 7, 4)),
    ("Pacific/Fakaofo", (2011, 12, 30)),
    ("Pacific/Kwajalein", (1993, 8, 21)),
    ("Pacific/Kwajalein", (1969, 9, 30)),
    ("Pacific/Kiritimati", (1994, 12, 31)),
    ("Pacific/Kanton", (1994, 12, 31)),
    ("Pacific/Pago_Pago", (1892, 7, 4)),
    ("Pacific/Guam", (1844, 12, 31)),
    ("Asia/Manila", (1844, 12, 31)),
    ("America/Juneau", (1867, 10, 18)),
    ("America/Sitka", (1867, 10, 18)),
]


def starts(zone: datetime.tzinfo, date: datetime.date, day_start: int) -> list[tuple[datetime.date, int | None]]:
    """The first second of this date and of its two neighbours at which the clock shows the day
    start or later: minute by minute in order of time, then back by seconds."""
    wanted = [date + datetime.timedelta(days=days) for days in (-1, 0, 1)]
    time = datetime.time(day_start // 60, day_start % 60)
    found: dict[datetime.date, int] = {}

    def shows(second: int, day: datetime.date) -> bool:
        shown = clock(zone, second)
        return shown.date() == day and shown.time() >= time

    middle = second_of(date.year, date.month, date.day)
    for second in range(middle - 2 * DAY, middle + 3 * DAY, 60):
        shown = clock(zone, second)
        day = shown.date()
        if day in wanted and day not in found and shown.time() >= time:
            exact = second
            while shows(exact - 1, day) and exact > second - 60:
                exact -= 1
            found[day] = exact
    return [(day, found.get(day)) for day in wanted]


def cases(folder: Path, dice: random.Random) -> Iterator[tuple[str, datetime.date, int]]:
    for name, date in LINE_CROSSINGS:
        for day_start in (0, dice.randrange(721)):
            yield name, datetime.date(*date), day_start
    seen = set()
    for name in names(folder):
        content = (folder / name).read_bytes()
        if content in seen:
            continue
        seen.add(content)
        zone = zoneinfo.ZoneInfo(name)
        near: list[int] = []
        for _ in range(4):
            year = dice.randrange(1973, 2060)
            near = near or changes(zone, second_of(year), second_of(year + 1))
        second = dice.choice(near or [dice.randrange(second_of(1973), second_of(2400))])
        # A day start from just before the change to a while after it, where there can be one.
        shown = clock(zone, second - 1)
        minute = shown.hour * 60 + shown.minute + dice.randrange(-75, 76)
        day_start = minute if 0 <= minute <= 720 else dice.choice([0, 180])
        yield name, shown.date(), day_start


def write_days(seed: str, folder: Path) -> None:
    lines = 0
    for name, date, day_start in cases(folder, random.Random(seed)):
        for day, start in starts(zoneinfo.ZoneInfo(name), date, day_start):
            print(name, day_start, day.isoformat(), "-" if start is None else start)
            lines += 1
    print("end", lines)


def main() -> None:
    mode, seed, folder = sys.argv[1:]
    zoneinfo.reset_tzpath(to=[folder])
    {"offsets": write_offsets, "days": write_days}[mode](seed, Path(folder))


if __name__ == "__main__":
    main()
