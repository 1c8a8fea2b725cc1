"""How Bob the Builder looks, fits its window, and is used without a mouse."""

import acting
import bob
from bob import nest  # noqa: F401  (a fixture)
from foyer import MARK
from playwright.sync_api import expect

SCHEMES = {
    "light": {
        "tint": "rgb(0, 122, 255)",
        "fill": "rgb(0, 103, 217)",
        "well": "rgb(242, 242, 247)",
        "off": "rgb(116, 116, 120)",
        "from": "rgb(230, 242, 255)",
    },
    "dark": {
        "tint": "rgb(10, 132, 255)",
        "fill": "rgb(10, 111, 224)",
        "well": "rgb(28, 28, 30)",
        "off": "rgb(110, 110, 115)",
        "from": "rgb(10, 22, 38)",
    },
}


def test_colours_and_shapes_follow_the_system(page, foyer):
    acting.resize(page, 393, 852)
    bob.stand(page, foyer, "login")
    button, box = page.get_by_test_id("login.submit"), page.locator(".field-box").first
    for scheme, wanted in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(".hammer")).to_have_css("color", wanted["tint"])
        expect(box).to_have_css("background-color", wanted["well"])
        expect(button).to_have_css("background-color", wanted["off"])
        wash = page.evaluate("getComputedStyle(document.body, '::before').backgroundImage")
        assert wash.startswith(f"linear-gradient(155.2deg, {wanted['from']}")
    expect(page.locator(".hammer")).to_have_css("width", "80px")
    expect(box).to_have_css("border-radius", "10px")
    expect(box).to_have_css("height", "54px")
    expect(button).to_have_css("border-radius", "10px")
    bob.fill(page, "bob@example.com", MARK)
    expect(button).to_be_enabled()
    for scheme, wanted in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(button).to_have_css("background-color", wanted["fill"])


def test_the_form_is_at_most_400_wide_and_on_its_side_scrolls_to_the_button(page, foyer):
    bob.stand(page, foyer, "login")
    acting.painted(page)
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2
    acting.resize(page, 844, 390)
    page.get_by_test_id("login.submit").scroll_into_view_if_needed()
    expect(page.get_by_test_id("login.submit")).to_be_in_viewport(ratio=1)


def test_who_asked_for_less_motion_sees_no_hammer_swing(visitors, foyer):
    visitors.unanswered("ERR_FAILED", "/assets/screen.js")
    page = visitors.device(foyer, reduced_motion="reduce")
    bob.stand(page, foyer, "splash")
    expect(page.locator(".hammer")).to_have_css("animation-name", "none")
    expect(page.locator(".spinner")).to_have_css("animation-duration", "1s")


def test_the_way_in_and_out_by_keyboard_alone(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")

    acting.tab_to(page, "login.email")
    page.keyboard.type(email)
    acting.tab_to(page, "login.password")
    page.keyboard.type(password)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    page.keyboard.press("Enter")
    bob.signed_in(page)
    acting.tab_to(page, "projects.tab.settings")
    page.keyboard.press("Enter")
    acting.arrive(page, "settings")
    acting.tab_to(page, "settings.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    acting.tab_to(page, "settings.signOut.confirm")
    page.keyboard.press("Enter")
    acting.arrive(page, "login")
    expect(page.get_by_test_id("alert.ok")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert")).to_have_count(0)
