"""What holds for every page and every screen however it is looked at."""

import acting
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from conftest import shot
from reading import out_of_reach


def axe(visitors, page, name="", **options):
    """axe finds nothing; what it tries itself the policy does not allow."""
    visitors.says("Applying inline style")
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    # It knows nothing of what is in a frame, and loads no style sheet anew.
    usual = {"resultTypes": ["violations"], "iframes": False, "preload": False}
    found = AxeResults(page.evaluate("options => axe.run(options)", {**usual, **options}))
    assert found.violations_count == 0, f"{name}\n{found.generate_report()}"


def fits(page, name, width, height):
    """In a window of this size nothing scrolls sideways."""
    acting.resize(page, width, height)
    wide = page.evaluate("""() => [
        document.documentElement.scrollWidth, innerWidth]""")
    assert wide[0] <= wide[1], f"{name} at {width}"


def examine(visitors, page, name, windows, reached=False):
    """One visit for all that holds in every state; ends in the last window.

    Nothing scrolls sideways in any window, and what is `reached` with a mouse
    is so; in the last axe finds nothing in the light, and no contrast too low
    in the dark.
    """
    assert visitors.unexpected() == []
    page.emulate_media(color_scheme="light")
    acting.settled(page)
    for width, height in windows:
        fits(page, name, width, height)
        if reached and width in (390, 844, 1366):
            assert out_of_reach(page) == [], f"{name} at {width}"
        shot(page, f"{name}-{width}-light")
    axe(visitors, page)
    page.emulate_media(color_scheme="dark")
    acting.settled(page)
    shot(page, f"{name}-{windows[-1][0]}-dark")
    axe(visitors, page, runOnly=["color-contrast"])


# The narrow console and the wide one.
CONSOLE = [[(820, 844), (320, 844), (390, 844)], [(1280, 844)]]
