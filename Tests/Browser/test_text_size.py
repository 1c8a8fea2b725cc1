"""Every app scales with the device's text size, and nothing is cut."""

import re

import acting
import looking
import pytest
import reading
from conftest import save_picture
from playwright.sync_api import expect

APPS = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]
LARGEST = "accessibilityLarge"
# Some text does not grow: iOS keeps the text size of bars too.
SIZES = ["small", "default", "large", "extraLarge", "accessibilityMedium", LARGEST]


def set_text_size(page, foyer, size):
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"textSize": size})


def start_app(page, foyer, app, inside):
    """Starts the app; `inside` signs in with a seed first."""
    if inside and app != "mystica-instant":
        device = acting.device_of(page, foyer)
        foyer.submit(f"/studio/{app}/seed", {}, device)
        seeded = foyer.api("GET", f"/api/devices/{device}/apps/{app}")["session"]
        assert seeded["state"] == "active"
    acting.start(page, foyer, app)
    expect(page.locator("body")).not_to_have_attribute(
        "data-screen", re.compile("^(splash|start|loading)$")
    )


def screens(foyer, app):
    [entry] = [a for a in foyer.api("GET", "/api/apps")["items"] if a["id"] == app]
    return [screen["path"] for screen in entry["screens"] if screen["kind"] != "launch"]


# Mystica Instant signs in by itself.
@pytest.mark.parametrize(
    "app, inside",
    [
        (app, inside)
        for app in APPS
        for inside in [False, True]
        if (app, inside) != ("mystica-instant", True)
    ],
)
def test_the_largest_text_is_not_cut_and_axe_finds_nothing(browsers, foyer, app, inside):
    page = browsers.device(foyer, reduced_motion="reduce")
    start_app(page, foyer, app, inside)
    for size in ["extraLarge", LARGEST]:
        set_text_size(page, foyer, size)
        seen = set()
        for path in screens(foyer, app):
            page.goto(foyer.base + path)
            screen = page.locator("body[data-screen]").get_attribute("data-screen")
            # Another path redirects to the same screen.
            if screen in seen:
                continue
            seen.add(screen)
            for width, height in [(844, 390), (390, 844), (320, 640)]:
                acting.resize(page, width, height)
                label = f"{screen} at {width}, {size}"
                assert reading.unreadable_text(page) == [], label
                assert page.evaluate("document.documentElement.scrollWidth") <= width, label
            save_picture(page, f"text-{app}-{screen}-{size}")
            if size == LARGEST and not inside:
                looking.check_axe(browsers, page)


@pytest.mark.parametrize("app", APPS)
def test_every_text_size_is_larger_than_the_one_before(page, foyer, app):
    start_app(page, foyer, app, inside=True)
    path = next(path for path in screens(foyer, app) if not path.endswith("/landing"))
    before = {}
    for size in SIZES:
        set_text_size(page, foyer, size)
        page.goto(foyer.base + path)
        acting.wait_for_styles(page)
        current = reading.font_sizes(page)
        assert current
        if before:
            common = current.keys() & before.keys()
            larger = [text for text in common if current[text] > before[text]]
            assert len(larger) >= len(common) / 2, f"{size}: {current} {before}"
            assert all(current[text] >= before[text] for text in common)
        before = current


def test_the_default_size_matches_the_design_document(page, foyer):
    page.goto(foyer.base + "/apps/bob/login")
    acting.expect_screen(page, "login")
    label = page.get_by_test_id("login.submit").locator(".button-label")
    assert label.evaluate("e => getComputedStyle(e).fontSize") == "17px"
    set_text_size(page, foyer, "accessibilityMedium")
    page.reload()
    assert label.evaluate("e => getComputedStyle(e).fontSize") == "28px"


@pytest.mark.parametrize("app", ["bob", "mystica", "socoto"])
def test_a_dialog_is_not_cut_at_the_largest_text(browsers, foyer, person, app):
    page = browsers.device(foyer, reduced_motion="reduce", viewport={"width": 320, "height": 640})
    start_app(page, foyer, app, inside=True)
    set_text_size(page, foyer, LARGEST)
    screen, action = {
        "bob": ("settings", "signOut"),
        "mystica": ("settings", "logout"),
        "socoto": ("profile", "signOut"),
    }[app]
    page.goto(f"{foyer.base}/apps/{app}/{screen}?confirm={action}")
    dialog = page.get_by_test_id(f"{screen}.{action}.dialog")
    expect(dialog).to_be_visible()
    acting.wait_for_styles(page)
    box = dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    assert reading.unreadable_text(page) == []
    save_picture(page, f"text-question-{app}")
