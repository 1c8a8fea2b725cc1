"""The storyboard's board: what its tests read and do."""

import acting


def replace_tiles(page, body=""):
    """Replaces the tiles by empty ones or by `body`, so that no state is rendered."""
    tile = "<!doctype html><title>A tile</title>" + body
    page.route("**/frame?*", lambda route: route.fulfill(content_type="text/html", body=tile))


def tile(page, name):
    return page.get_by_test_id(f"storyboard.tile.{name}")


def zoom(page):
    return page.get_by_test_id("storyboard.zoom")


def title(page):
    return page.get_by_test_id("storyboard.panel.title")


def scroll_position(page):
    return page.locator("[data-viewport]").evaluate("it => [it.scrollLeft, it.scrollTop]")


def turn_wheel(page, delta):
    """Zooms in the middle of the board."""
    # Without the page's listener the browser would zoom the page itself.
    acting.wait_for_frame(page)
    page.mouse.move(700, 500)
    page.keyboard.down("Control")
    page.mouse.wheel(0, delta)
    page.keyboard.up("Control")
