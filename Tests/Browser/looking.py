"""Checks that apply to every page and every screen, in any window and appearance."""

import acting
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from conftest import save_picture
from reading import unreachable_controls


def check_axe(browsers, page, name="", **options):
    """Expects axe to find nothing. The policy blocks an inline style of axe itself, which is
    expected.
    """
    browsers.expect_console_error("Applying inline style")
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    # Frames are not checked, and style sheets are not loaded again.
    defaults = {"resultTypes": ["violations"], "iframes": False, "preload": False}
    results = AxeResults(page.evaluate("options => axe.run(options)", {**defaults, **options}))
    assert results.violations_count == 0, f"{name}\n{results.generate_report()}"


def check_fits(page, name, width, height):
    """Expects that in a window of this size nothing scrolls sideways."""
    acting.resize(page, width, height)
    widths = page.evaluate("""() => [
        document.documentElement.scrollWidth, innerWidth]""")
    assert widths[0] <= widths[1], f"{name} at {width}"


def examine(browsers, page, name, windows, controls=False):
    """Checks everything that must hold in every state; ends in the last window.

    In every window nothing scrolls sideways and, with `controls`, a mouse can reach every control.
    In the last window axe finds nothing in light mode, and no low contrast in dark mode.
    """
    assert browsers.unexpected_errors() == []
    page.emulate_media(color_scheme="light")
    acting.finish_animations(page)
    for width, height in windows:
        check_fits(page, name, width, height)
        if controls and width in (390, 844, 1366):
            assert unreachable_controls(page) == [], f"{name} at {width}"
        save_picture(page, f"{name}-{width}-light")
    check_axe(browsers, page)
    page.emulate_media(color_scheme="dark")
    acting.finish_animations(page)
    save_picture(page, f"{name}-{windows[-1][0]}-dark")
    check_axe(browsers, page, runOnly=["color-contrast"])


# The windows of the narrow and of the wide console.
CONSOLE_WINDOWS = [[(820, 844), (320, 844), (390, 844)], [(1280, 844)]]
