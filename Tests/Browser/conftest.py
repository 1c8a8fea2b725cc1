"""The fixtures of all browser tests.

One foyer serves all files that one worker runs; every test gets its own browser contexts, and each
context is its own device. A page that logs an error or violates the Content-Security-Policy fails
its test.
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

import boards
import scripts
from foyer import MARK, RESULTS, Foyer
from standin import StandIn

# A separate project for many workers; test_parallel.py runs it.
collect_ignore = ["parallel"]

# The slowest files run first, so that no worker finishes long after the other: these, then the
# larger files.
LONGEST = ["test_states", "test_tiles", "test_parallel", "test_pictures", "test_text_size"]

numbers = itertools.count(1)


def pytest_configure(config):
    config.addinivalue_line("markers", "full_browser: needs features that the headless shell lacks")


def pytest_collection_modifyitems(items):
    items.sort(
        key=lambda item: (
            LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST),
            -item.path.stat().st_size,
            item.path,
        )
    )


# Generous, so that a busy machine fails no test.
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
    """The headless shell, which needs half the processor time per page."""
    browser = launch(playwright, "chromium-headless-shell")
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def full_chromium(playwright):
    """The full browser, for the clipboard and the colors of pixels."""
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
    """A foyer for one test, which the test may kill."""
    server = Foyer(re.sub(r"\W+", "-", request.node.name)[:60])
    yield server
    if server.process.poll() is None:
        server.remember_tokens()
        assert server.stop() == 0


class Browsers:
    """Makes browser contexts, each a device, and collects the console errors of their pages."""

    def __init__(self, browser, name):
        self.browser = browser
        self.name = name
        self.contexts = []
        self.profilers = []
        self.errors = []
        self.expected_errors = []

    def device(self, foyer, key=True, device=None, **options):
        """A page of a new context that has the key; on a new device, if none is given."""
        context = self.browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        context.set_default_timeout(15_000)
        context.on("page", self._collect_errors)
        self.contexts.append(context)
        if key:
            context.add_cookies(
                [foyer.key_cookie()]
                if "storage_state" in options
                else [foyer.key_cookie(), foyer.device_cookie(device)]
            )
        page = context.new_page()
        if profiler := scripts.start(page):
            self.profilers.append(profiler)
        return page

    def _collect_errors(self, page):
        page.on(
            "console",
            lambda m: (
                m.type == "error" and self.errors.append((page.url, m.text, m.location["url"]))
            ),
        )
        page.on("pageerror", lambda e: self.errors.append((page.url, str(e), "")))

    def expect_console_error(self, prefix, at=""):
        """Expects a console error that begins with `prefix`, from the script at the address `at`.

        Errors of the test's own scripts have no address.
        """
        self.expected_errors.append(lambda text, url: url == at and text.startswith(prefix))

    def expect_status(self, status, path):
        """Expects a response with this error status, from a path that matches the pattern."""
        self._expect_load_failure(f"the server responded with a status of {status} (", path)

    def expect_network_error(self, error, path):
        """Expects a request to a path that matches the pattern to end in this network error."""
        self._expect_load_failure(f"net::{error}", path)

    def _expect_load_failure(self, reason, path):
        prefix = f"Failed to load resource: {reason}"
        self.expected_errors.append(
            lambda text, url: text.startswith(prefix) and re.fullmatch(path, urlsplit(url).path)
        )

    def unexpected_errors(self):
        return [
            f"{page}: {text} {url}"
            for page, text, url in self.errors
            if not any(matches(text, url) for matches in self.expected_errors)
        ]

    def close(self):
        for profiler in self.profilers:
            scripts.write(profiler)
        for context in self.contexts:
            context.close()
        return self.unexpected_errors()


@pytest.fixture
def browsers(request):
    needs_full_browser = request.node.get_closest_marker("full_browser")
    browsers = Browsers(
        request.getfixturevalue("full_chromium" if needs_full_browser else "chromium"),
        request.node.name,
    )
    yield browsers
    report = getattr(request.node, "report", None)
    if report is not None and report.failed:
        for number, context in enumerate(browsers.contexts):
            for page in context.pages:
                save_picture(page, f"failed-{request.node.name}-{number}", True)
    assert browsers.close() == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.report = report
    return report


@pytest.fixture
def page(browsers, foyer):
    """A page of a new device in the shared foyer."""
    return browsers.device(foyer)


@pytest.fixture
def person():
    """Makes new credentials: an email address and a password."""

    def make():
        number = next(numbers)
        return (f"nora{number}-{os.getpid()}@example.com", f"{MARK}-{number}")

    return make


@pytest.fixture
def standin():
    """A backend that fails every request, until a test sets another script."""
    server = StandIn(
        lambda *_: (500, {"error": {"code": "down", "message": "The servers are resting"}})
    )
    yield server
    server.stop()


def save_picture(page, name, enabled="FOYER_PICTURES" in os.environ):
    """Saves a picture of the page in Tests/.results/pictures.

    By default only if FOYER_PICTURES is set; failed tests always save theirs.
    """
    if not enabled:
        return
    folder = RESULTS / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", name)[:120]
    try:
        page.screenshot(path=folder / f"{name}.png")
    except Exception as error:  # The page may be closed; the test reports why.
        print(f"no picture of {name}: {error}")


@pytest.fixture
def board(browsers, foyer):
    """Opens a board, by default without rendering its tiles."""

    def open_board(address, tiles=False, **options):
        page = browsers.device(foyer, reduced_motion="reduce", **options)
        if not tiles:
            boards.replace_tiles(page)
        page.goto(foyer.base + address)
        return page

    return open_board
