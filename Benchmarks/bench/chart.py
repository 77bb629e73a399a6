"""The results as a picture: on a light ground of its own, so that it reads on a dark page too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from running import Json

COLOURS = {"goals": "#1a7f37", "hummingbird": "#d4791a", "fastapi": "#5b6b82", "nginx": "#a6afbb"}
NAMES = {"goals": "Goals", "hummingbird": "Hummingbird + GRDB", "fastapi": "FastAPI + sqlite3", "nginx": "nginx return"}
GROUND, TEXT, LINE = "#ffffff", "#1f2328", "#d0d7de"
CONNECTIONS = (1, 16, 64, 256)
CURVES = {
    "goals": "goals", "days": "days of history", "log": "edits in the log",
    "accounts": "accounts, one of them bumped",
}  # fmt: skip
LIMIT = 1.3


def draw(results: Json, path: Path) -> None:
    style = {
        "svg.fonttype": "path", "svg.hashsalt": "goals", "font.size": 9, "text.color": TEXT,
        "axes.labelcolor": TEXT, "xtick.color": TEXT, "ytick.color": TEXT, "axes.edgecolor": LINE,
        "figure.facecolor": GROUND, "axes.facecolor": GROUND, "axes.titlesize": 10, "axes.titlelocation": "left",
        "axes.titleweight": "bold", "axes.spines.top": False, "axes.spines.right": False,
    }  # fmt: skip
    with matplotlib.rc_context(style):
        figure, places = plt.subplots(2, 2, figsize=(9.4, 6.6), layout="constrained")
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15, wspace=0.04, hspace=0.06)
        rates(places[0][0], results)
        waits(places[0][1], results)
        lists(places[1][0], results)
        growth(places[1][1], results)
        handles, labels = places[0][0].get_legend_handles_labels()
        if handles:
            # Where there is room: with few connections nobody waits long.
            places[0][1].legend(handles, labels, frameon=False, loc="upper left")
        figure.supxlabel("Medians; thin lines from the lowest round to the highest.", fontsize=8, color=TEXT)
        figure.savefig(path, metadata={"Date": None, "Creator": "make bench"})
        plt.close(figure)
    # Line ends without blanks, as the rest of the project has them.
    path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")


def rates(axes: Axes, results: Json) -> None:
    axes.set_title("Durable bumps a second")
    width = 0.27

    def draw(place: int, offset: int, name: str, middle: float, low: float, high: float) -> None:
        at = place + offset * width
        axes.bar(at, middle, width * 0.92, color=COLOURS[name], label=NAMES[name] if place == 0 else None)
        axes.errorbar(at, middle, [[middle - low], [high - middle]], color=TEXT, linewidth=0.8)
        axes.annotate(short(middle), (at, high), (0, 2), textcoords="offset points", ha="center", fontsize=7)

    by_connections(axes, results, "rate", 1, draw)
    axes.margins(y=0.12)


def waits(axes: Axes, results: Json) -> None:
    axes.set_title("95 % answered within, ms (log scale)")
    axes.set_yscale("log")

    def draw(place: int, offset: int, name: str, middle: float, low: float, high: float) -> None:
        at = place + offset * 0.2
        axes.errorbar(at, middle, [[middle - low], [high - middle]], color=COLOURS[name], linewidth=0.8, marker="o")
        axes.annotate(short(middle), (at, high), (0, 3), textcoords="offset points", ha="center", fontsize=7)

    by_connections(axes, results, "p95", 1000, draw)
    axes.margins(y=0.15)


def by_connections(
    axes: Axes, results: Json, value: str, scale: float,
    draw: Callable[[int, int, str, float, float, float], None],
) -> None:  # fmt: skip
    scenarios = results.get("scenarios", {})
    groups = [count for count in CONNECTIONS if f"bumps-{count}" in scenarios]
    for offset, name in ((-1, "goals"), (0, "hummingbird"), (1, "fastapi")):
        for place, count in enumerate(groups):
            spread = scenarios[f"bumps-{count}"]["servers"][name][value]
            draw(place, offset, name, *(spread[point] * scale for point in ("median", "low", "high")))
    axes.set_xticks(range(len(groups)), [str(count) for count in groups])
    axes.set_xlabel("connections")
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_formatter(lambda value, _: short(value))


def lists(axes: Axes, results: Json) -> None:
    axes.set_title("Lists of 20 goals a CPU-second")
    servers = results.get("scenarios", {}).get("lists", {}).get("servers", {})
    order = [name for name in ("nginx", "fastapi", "hummingbird", "goals") if name in servers]
    values = [servers[name]["perCpuSecond"]["median"] for name in order]
    axes.barh([NAMES[name] for name in order], values, 0.6, color=[COLOURS[name] for name in order])
    for place, value in enumerate(values):
        axes.annotate(short(value), (value, place), (3, 0), textcoords="offset points", va="center", fontsize=8)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(lambda value, _: short(value))
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.12)


def growth(axes: Axes, results: Json) -> None:
    axes.set_title("CPU of a bump in Goals as it grows")
    measured = results.get("growth", {})
    marks = ("o", "s", "^", "D")
    tones = ("#1a7f37", "#0969da", "#8250df", "#bc4c00")
    for (name, what), mark, tone in zip(CURVES.items(), marks, tones, strict=True):
        if name not in measured:
            continue
        points = measured[name]["points"]
        most = f"{points[-1]['size']:,} {what}"
        axes.plot(range(len(points)), [point["ratio"] for point in points], marker=mark, color=tone, label=most)
    axes.axhline(LIMIT, color=TEXT, linewidth=0.8, linestyle="--")
    axes.annotate(f"{LIMIT}: the most that is allowed", (0, LIMIT), (0, 3), textcoords="offset points", fontsize=8)
    axes.set_xticks(range(3), ["least", "some", "most"])
    axes.set_ylabel("over that at the least")
    axes.set_ylim(0, max(1.6, axes.get_ylim()[1]))
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    if measured:
        axes.legend(frameon=False, loc="lower left")


def short(value: float) -> str:
    if value >= 10_000:
        return f"{value / 1000:.0f}k"
    if value >= 1000:
        return f"{value / 1000:.1f}".removesuffix(".0") + "k"
    return f"{value:.0f}" if value >= 10 or value == 0 else f"{value:.1f}".removesuffix(".0")
