"""What every browser test starts from.

One foyer for all files one worker plays; every test gets browser contexts of its own,
which are devices of their own. A page that logs an error or breaks the
Content-Security-Policy fails its test.
"""

import itertools
import os
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))

import scripts
from foyer import MARK, RESULTS, Foyer
from standin import StandIn

# A project of its own, for many workers; test_parallel.py plays it.
collect_ignore = ["parallel"]

# What takes longest begins first, so that no worker ends long after the other:
# these, then the larger files.
LONGEST = ["test_states", "test_tiles", "test_parallel", "test_pictures", "test_text_size"]

numbers = itertools.count(1)


def pytest_configure(config):
    config.addinivalue_line("markers", "whole_browser: needs what the headless shell lacks")


def pytest_collection_modifyitems(items):
    items.sort(
        key=lambda item: (
            LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST),
            -item.path.stat().st_size,
            item.path,
        )
    )


# A busy machine is no defect.
expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


def launch(playwright, executable):
    return playwright.chromium.launch(
        executable_path=shutil.which(executable), args=["--no-sandbox", "--disable-gpu"]
    )


@pytest.fixture(scope="session")
def chromium(playwright):
    """Chromium without its window: half the processor time of a page."""
    browser = launch(playwright, "chromium-headless-shell")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_chromium(playwright):
    """The browser people have: for the clipboard and colours of pixels."""
    browser = launch(playwright, "chromium")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def foyer():
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server = Foyer(f"shared-{worker}")
    yield server
    server.remember_tokens()
    assert server.stop() == 0


@pytest.fixture
def fresh_foyer(request):
    """A foyer for one test alone, which it may kill."""
    server = Foyer(re.sub(r"\W+", "-", request.node.name)[:60])
    yield server
    if server.process.poll() is None:
        server.remember_tokens()
        assert server.stop() == 0


class Visitors:
    """Makes browser contexts and watches what their pages complain about."""

    def __init__(self, browser, name):
        self.browser = browser
        self.name = name
        self.contexts = []
        self.followed = []
        self.complaints = []
        self.expected = []

    def device(self, foyer, key=True, device=None, **options):
        """A context that has shown its key; a new device, if none is given."""
        context = self.browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        context.set_default_timeout(15_000)
        context.on("page", self._watch)
        self.contexts.append(context)
        if key:
            context.add_cookies(
                [foyer.key_cookie()]
                if "storage_state" in options
                else [foyer.key_cookie(), foyer.device_cookie(device)]
            )
        page = context.new_page()
        if session := scripts.follow(page):
            self.followed.append(session)
        return page

    def _watch(self, page):
        page.on(
            "console",
            lambda m: (
                m.type == "error" and self.complaints.append((page.url, m.text, m.location["url"]))
            ),
        )
        page.on("pageerror", lambda e: self.complaints.append((page.url, str(e), "")))

    def says(self, words, at=""):
        """A message that begins so, about the page at this address.

        What a script of the test does has none.
        """
        self.expected.append(lambda text, url: url == at and text.startswith(words))

    def refused(self, status, path):
        """A response with this status, from a path that fits the pattern."""
        self._unloaded(f"the server responded with a status of {status} (", path)

    def unanswered(self, error, path):
        """A request to a path that fits the pattern, which ends in this error."""
        self._unloaded(f"net::{error}", path)

    def _unloaded(self, why, path):
        begin = f"Failed to load resource: {why}"
        self.expected.append(
            lambda text, url: text.startswith(begin) and re.fullmatch(path, urlsplit(url).path)
        )

    def unexpected(self):
        return [
            f"{page}: {text} {url}"
            for page, text, url in self.complaints
            if not any(fits(text, url) for fits in self.expected)
        ]

    def close(self):
        for session in self.followed:
            scripts.keep(session)
        for context in self.contexts:
            context.close()
        return self.unexpected()


@pytest.fixture
def visitors(request):
    whole = request.node.get_closest_marker("whole_browser")
    visitors = Visitors(
        request.getfixturevalue("whole_chromium" if whole else "chromium"), request.node.name
    )
    yield visitors
    report = getattr(request.node, "report", None)
    if report is not None and report.failed:
        for number, context in enumerate(visitors.contexts):
            for page in context.pages:
                shot(page, f"failed-{request.node.name}-{number}", True)
    assert visitors.close() == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.report = report
    return report


@pytest.fixture
def page(visitors, foyer):
    """One device in the shared foyer."""
    return visitors.device(foyer)


@pytest.fixture
def person():
    """Makes people nobody has used: an address and a password."""

    def make():
        number = next(numbers)
        return (f"nora{number}-{os.getpid()}@example.com", f"{MARK}-{number}")

    return make


@pytest.fixture
def standin():
    """A backend that says no to everything, until a test says otherwise."""
    server = StandIn(
        lambda *_: (500, {"error": {"code": "down", "message": "The servers are resting"}})
    )
    yield server
    server.stop()


def shot(page, name, wanted="FOYER_PICTURES" in os.environ):
    """A picture of the page as it is, in Tests/.results/pictures.

    Only of tests that fail, unless FOYER_PICTURES is set.
    """
    if not wanted:
        return
    folder = RESULTS / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", name)[:120]
    try:
        page.screenshot(path=folder / f"{name}.png")
    except Exception as error:  # The page may be gone; the test says why.
        print(f"no picture of {name}: {error}")
