"""How long a designer waits: sheets, tiles played and kept, one tile again."""

import re
import statistics
import time
import urllib.request

from measuring import QUICK, ROUNDS, WORK, row
from processes import Foyer, end

SIZE = {"width": 1440, "height": 900}


def apps(foyer):
    return [one["id"] for one in foyer.json("GET", "/api/apps")["items"]]


def asked(foyer, path, post=None):
    """Milliseconds until the whole answer is there, and its text."""
    request = urllib.request.Request(
        foyer.base + path,
        data=post,
        headers={"Authorization": f"Bearer {foyer.key}", "Accept": "text/html"},
    )
    began = time.monotonic()
    with urllib.request.urlopen(request) as answer:
        text = answer.read().decode()
    return (time.monotonic() - began) * 1000, text


def frames(foyer, app):
    """The addresses of an app's tiles, as its sheet names them."""
    _, sheet = asked(foyer, f"/storyboard/{app}")
    return [
        found.replace("&amp;", "&")
        for found in re.findall(rf'src="(/storyboard/{app}/[^"]+/frame[^"]*)"', sheet)
    ]


def sheets(foyer):
    """Each app's sheet, every one of its tiles played and then kept."""
    print("\nStoryboards, medians; a tile is played once and then kept:\n")
    row("", "states", "its sheet", "a tile played", "the slowest", "a tile kept", "all kept")
    row(*["---"] * 7)
    for app in apps(foyer):
        tiles = frames(foyer, app)
        if QUICK:
            tiles = tiles[:8]
        sheet = [asked(foyer, f"/storyboard/{app}")[0] for _ in range(20)]
        first = [asked(foyer, one)[0] for one in tiles]
        kept = [asked(foyer, one)[0] for one in tiles]
        row(
            app,
            len(tiles),
            f"{statistics.median(sheet):.1f} ms",
            f"{statistics.median(first):.1f} ms",
            f"{max(first):,.0f} ms",
            f"{statistics.median(kept):.2f} ms",
            f"{sum(kept):.0f} ms",
        )


def profile(browser, foyer):
    """A page of a fresh profile that has its key."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(f"{foyer.base}/?key={foyer.key}")
    return page


def opened(page, foyer, app):
    """Milliseconds until the sheet is loaded, and until every tile in view
    shows its screen."""
    began = time.monotonic()
    page.goto(f"{foyer.base}/storyboard/{app}", wait_until="load")
    loaded = (time.monotonic() - began) * 1000
    page.wait_for_function(
        """() => [...document.querySelectorAll(".sheet-tile .phone")].filter(
            one => {
                const box = one.getBoundingClientRect();
                return box.bottom > 0 && box.top < innerHeight
                    && box.right > 0 && box.left < innerWidth;
            }).every(one => one.querySelector(".tile-lost")
                || one.querySelector("iframe")?.contentDocument
                    ?.querySelector("body[data-screen], .tile-none"))"""
    )
    return loaded, (time.monotonic() - began) * 1000


def in_browser(foyer):
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("\nPlaywright could not be installed: no browser's times.")
        return
    print("\nThe same in Chromium, 1440 × 900, each in a fresh profile:\n")
    row("", "sheet loaded", "tiles in view shown")
    row(*["---"] * 3)
    sums = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        # The browser itself is warm; its profile is not.
        opened(profile(browser, foyer), foyer, apps(foyer)[0])
        for app in apps(foyer):
            taken = [opened(profile(browser, foyer), foyer, app) for _ in range(ROUNDS)]
            loaded, shown = (statistics.median(one) for one in zip(*taken, strict=True))
            row(app, f"{loaded:.0f} ms", f"{shown:.0f} ms")
        for _ in range(ROUNDS):
            page = profile(browser, foyer)
            taken = [opened(page, foyer, app) for app in apps(foyer)]
            sums.append([sum(one) for one in zip(*taken, strict=True)])
        browser.close()
    loaded, shown = (statistics.median(one) for one in zip(*sums, strict=True))
    row("all, one after another in one profile", f"{loaded:,.0f} ms", f"{shown:,.0f} ms")


def again(foyer):
    """One tile played again, and what all the others take right after."""
    print(f"\nOne tile played again, medians of {4 if QUICK else 12} tiles:\n")
    row("", "the tile and its page", "all others together", "tiles")
    row(*["---"] * 4)
    for app in apps(foyer):
        tiles = frames(foyer, app)
        for tile in tiles:
            asked(foyer, tile)
        chosen = tiles[:: max(1, len(tiles) // (4 if QUICK else 12))]
        one, others = [], []
        for tile in chosen:
            # Its own page comes back, and plays it.
            page, _ = asked(foyer, tile.split("/frame")[0] + "/again", post=b"")
            one.append(page + asked(foyer, tile)[0])
            others.append(sum(asked(foyer, other)[0] for other in tiles if other != tile))
        row(
            app,
            f"{statistics.median(one):.1f} ms",
            f"{statistics.median(others):.0f} ms",
            len(tiles),
        )


def storyboards(data):
    """All of it, with a console of its own."""
    foyer = Foyer(data)
    sheets(foyer)
    in_browser(foyer)
    again(foyer)
    end(foyer.process)


if __name__ == "__main__":
    storyboards(WORK / "storyboards")
