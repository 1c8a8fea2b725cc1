"""The response times of storyboards: boards, and rendered, cached and re-rendered tiles."""

import itertools
import re
import statistics
import time
import urllib.request

from browser import chromium, new_page
from harness import QUICK, ROUNDS, WORK, header, row
from processes import Foyer, cpu_seconds, end


def apps(foyer):
    return [one["id"] for one in foyer.json("GET", "/api/apps")["items"]]


def timed_request(foyer, path, post=None):
    """Milliseconds until the response is complete, and its text."""
    request = urllib.request.Request(
        foyer.base + path,
        data=post,
        headers={"Authorization": f"Bearer {foyer.key}", "Accept": "text/html"},
    )
    started_at = time.monotonic()
    with urllib.request.urlopen(request) as response:
        text = response.read().decode()
    return (time.monotonic() - started_at) * 1000, text


def timed_requests(foyer, paths):
    """The milliseconds of each request, and the mean CPU milliseconds of one."""
    before = cpu_seconds(foyer.process)
    times = [timed_request(foyer, path)[0] for path in paths]
    return times, (cpu_seconds(foyer.process) - before) / len(paths) * 1000


def tile_paths(foyer, app):
    """The paths of an app's tiles, from its board."""
    _, board = timed_request(foyer, f"/storyboard/{app}")
    return [
        found.replace("&amp;", "&")
        for found in re.findall(rf'src="(/storyboard/{app}/[^"]+/frame[^"]*)"', board)
    ]


def measure_boards(foyer):
    """Measures each app's board, and each of its tiles when rendered and when cached."""
    print("\nStoryboards, medians; a tile is rendered once and then cached:\n")
    header(
        "", "states", "board", "CPU", "tile rendered", "CPU", "slowest", "tile cached", "CPU",
        "all cached",
    )  # fmt: skip
    for app in apps(foyer):
        tiles = tile_paths(foyer, app)
        if QUICK:
            tiles = tiles[:8]
        board, board_cpu = timed_requests(foyer, [f"/storyboard/{app}"] * 20)
        first, first_cpu = timed_requests(foyer, tiles)
        cached, cached_cpu = timed_requests(foyer, tiles)
        row(
            app,
            len(tiles),
            f"{statistics.median(board):.1f} ms",
            f"{board_cpu:.1f} ms",
            f"{statistics.median(first):.1f} ms",
            f"{first_cpu:.1f} ms",
            f"{max(first):,.0f} ms",
            f"{statistics.median(cached):.2f} ms",
            f"{cached_cpu:.2f} ms",
            f"{sum(cached):.0f} ms",
        )


def open_board(page, foyer, app):
    """Milliseconds until the board is loaded and until each visible tile shows its screen, and
    the CPU milliseconds of Foyer.
    """
    used = cpu_seconds(foyer.process)
    started_at = time.monotonic()
    page.goto(f"{foyer.base}/storyboard/{app}", wait_until="load")
    loaded = (time.monotonic() - started_at) * 1000
    page.wait_for_function(
        """() => [...document.querySelectorAll(".board-tile .phone")].filter(
            one => {
                const box = one.getBoundingClientRect();
                return box.bottom > 0 && box.top < innerHeight
                    && box.right > 0 && box.left < innerWidth;
            }).every(one => one.querySelector(".tile-failure")
                || one.querySelector("iframe")?.contentDocument
                    ?.querySelector("body[data-screen], .tile-error"))"""
    )
    shown = (time.monotonic() - started_at) * 1000
    return loaded, shown, (cpu_seconds(foyer.process) - used) * 1000


def medians(results):
    """The median of each measured time, as text."""
    return [f"{statistics.median(one):,.0f} ms" for one in zip(*results, strict=True)]


def measure_in_browser(foyer):
    with chromium() as browser:
        if not browser:
            return
        print("\nStoryboards in Chromium, 1440 × 900, each in a new profile:\n")
        header("", "board loaded", "visible tiles shown", "CPU of Foyer")
        # Warms up the browser. Each measured profile is new.
        open_board(new_page(browser, foyer), foyer, apps(foyer)[0])
        for app in apps(foyer):
            results = [open_board(new_page(browser, foyer), foyer, app) for _ in range(ROUNDS)]
            row(app, *medians(results))


def measure_rerendering(foyer):
    """Measures re-rendering one tile, and requesting all others right afterwards."""
    print(f"\nOne tile re-rendered, medians of {4 if QUICK else 12} tiles:\n")
    header("", "tile and its page", "CPU", "all other tiles", "CPU", "tiles")
    for app in apps(foyer):
        tiles = tile_paths(foyer, app)
        if QUICK:
            tiles = tiles[:8]
        for tile in tiles:
            timed_request(foyer, tile)
        chosen = tiles[:: max(1, len(tiles) // (4 if QUICK else 12))]
        one, others, cpu = [], [], [cpu_seconds(foyer.process)]
        for tile in chosen:
            # The response is the tile's page, and rendering the tile follows.
            page, _ = timed_request(foyer, tile.split("/frame")[0] + "/render", post=b"")
            one.append(page + timed_request(foyer, tile)[0])
            cpu.append(cpu_seconds(foyer.process))
            others.append(sum(timed_request(foyer, other)[0] for other in tiles if other != tile))
            cpu.append(cpu_seconds(foyer.process))
        used = [(after - before) / len(chosen) * 1000 for before, after in itertools.pairwise(cpu)]
        row(
            app,
            f"{statistics.median(one):.1f} ms",
            f"{sum(used[::2]):.1f} ms",
            f"{statistics.median(others):.0f} ms",
            f"{sum(used[1::2]):.0f} ms",
            len(tiles),
        )


def measure_storyboards():
    """Runs all measurements with a new console."""
    foyer = Foyer(WORK / "storyboards")
    measure_boards(foyer)
    measure_in_browser(foyer)
    measure_rerendering(foyer)
    end(foyer.process)
