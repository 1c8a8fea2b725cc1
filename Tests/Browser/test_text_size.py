"""Every app grows with the device's text size, and nothing is cut."""

import re

import acting
import looking
import pytest
import reading
from conftest import shot
from playwright.sync_api import expect

APPS = ["mystica", "mystica-instant", "bob", "wall", "socoto", "clarity"]
LARGEST = "accessibilityLarge"
# Beside the first ones: text behind a bar keeps its size on a phone too.
STEPS = ["small", "default", "large", "extraLarge", "accessibilityMedium", LARGEST]


def grown(page, foyer, size):
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"textSize": size})


def begin(page, foyer, app, inside):
    """A device in the app; inside, as somebody a seed signed in."""
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


# Mystica Instant signs itself in.
@pytest.mark.parametrize(
    "app, inside",
    [
        (app, inside)
        for app in APPS
        for inside in [False, True]
        if (app, inside) != ("mystica-instant", True)
    ],
)
def test_the_largest_text_is_read_whole_and_axe_finds_nothing(visitors, foyer, app, inside):
    page = visitors.device(foyer, reduced_motion="reduce")
    begin(page, foyer, app, inside)
    for size in ["extraLarge", LARGEST]:
        grown(page, foyer, size)
        seen = set()
        for path in screens(foyer, app):
            page.goto(foyer.base + path)
            here = page.locator("body[data-screen]").get_attribute("data-screen")
            # Another one leads to it.
            if here in seen:
                continue
            seen.add(here)
            for width, height in [(844, 390), (390, 844), (320, 640)]:
                acting.resize(page, width, height)
                where = f"{here} at {width}, {size}"
                assert reading.cut(page) == [], where
                assert page.evaluate("document.documentElement.scrollWidth") <= width, where
            shot(page, f"text-{app}-{here}-{size}")
            if size == LARGEST and not inside:
                looking.axe(visitors, page)


@pytest.mark.parametrize("app", APPS)
def test_every_step_is_larger_than_the_one_before(page, foyer, app):
    begin(page, foyer, app, inside=True)
    path = next(path for path in screens(foyer, app) if not path.endswith("/landing"))
    before = {}
    for size in STEPS:
        grown(page, foyer, size)
        page.goto(foyer.base + path)
        acting.painted(page)
        now = reading.sizes(page)
        assert now
        if before:
            both = now.keys() & before.keys()
            larger = [text for text in both if now[text] > before[text]]
            assert len(larger) >= len(both) / 2, f"{size}: {now} {before}"
            assert all(now[text] >= before[text] for text in both)
        before = now


def test_the_usual_size_is_the_documents(page, foyer):
    acting.start(page, foyer, "bob")
    acting.arrive(page, "login")
    label = page.get_by_test_id("login.submit").locator(".button-label")
    assert label.evaluate("e => getComputedStyle(e).fontSize") == "17px"
    grown(page, foyer, "accessibilityMedium")
    page.reload()
    assert label.evaluate("e => getComputedStyle(e).fontSize") == "28px"


@pytest.mark.parametrize("app", ["bob", "mystica", "socoto"])
def test_a_question_is_read_whole_at_the_largest_text(visitors, foyer, person, app):
    page = visitors.device(foyer, reduced_motion="reduce", viewport={"width": 320, "height": 640})
    begin(page, foyer, app, inside=True)
    grown(page, foyer, LARGEST)
    screen, action = {
        "bob": ("settings", "signOut"),
        "mystica": ("settings", "logout"),
        "socoto": ("profile", "signOut"),
    }[app]
    page.goto(f"{foyer.base}/apps/{app}/{screen}?confirm={action}")
    dialog = page.get_by_test_id(f"{screen}.{action}.dialog")
    expect(dialog).to_be_visible()
    acting.painted(page)
    box = dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    assert reading.cut(page) == []
    shot(page, f"text-question-{app}")
