"""Chromium for measurements in a browser."""

import contextlib

SIZE = {"width": 1440, "height": 900}


@contextlib.contextmanager
def chromium():
    """A running Chromium; None without Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("\nPlaywright is not installed: no times in a browser.")
        yield None
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield browser
        browser.close()


def new_page(browser, foyer):
    """A page in a new browser profile that has entered the access key."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(f"{foyer.base}/?key={foyer.key}")
    return page
