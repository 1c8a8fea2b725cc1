"""Bob the Builder's colors and shapes, its layout, and its use without a mouse."""

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


def test_colors_and_shapes_follow_the_system_appearance(page, foyer):
    acting.resize(page, 393, 852)
    bob.open_state(page, foyer, "login")
    button, box = page.get_by_test_id("login.submit"), page.locator(".field-box").first
    for scheme, colors in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(".hammer")).to_have_css("color", colors["tint"])
        expect(box).to_have_css("background-color", colors["well"])
        expect(button).to_have_css("background-color", colors["off"])
        gradient = page.evaluate("getComputedStyle(document.body, '::before').backgroundImage")
        assert gradient.startswith(f"linear-gradient(155.2deg, {colors['from']}")
    expect(page.locator(".hammer")).to_have_css("width", "80px")
    expect(box).to_have_css("border-radius", "10px")
    expect(box).to_have_css("height", "54px")
    expect(button).to_have_css("border-radius", "10px")
    bob.fill(page, "bob@example.com", MARK)
    expect(button).to_be_enabled()
    for scheme, colors in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)
        expect(button).to_have_css("background-color", colors["fill"])


def test_the_form_is_at_most_400_wide_and_scrolls_in_landscape(page, foyer):
    bob.open_state(page, foyer, "login")
    acting.wait_for_styles(page)
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2
    acting.resize(page, 844, 390)
    page.get_by_test_id("login.submit").scroll_into_view_if_needed()
    expect(page.get_by_test_id("login.submit")).to_be_in_viewport(ratio=1)


def test_reduced_motion_stops_the_hammer(browsers, foyer):
    browsers.expect_network_error("ERR_FAILED", "/assets/screen.js")
    page = browsers.device(foyer, reduced_motion="reduce")
    bob.open_state(page, foyer, "splash")
    expect(page.locator(".hammer")).to_have_css("animation-name", "none")
    expect(page.locator(".spinner")).to_have_css("animation-duration", "1s")


def test_sign_in_and_sign_out_by_keyboard(page, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")

    acting.tab_to(page, "login.email")
    page.keyboard.type(email)
    acting.tab_to(page, "login.password")
    page.keyboard.type(password)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    page.keyboard.press("Enter")
    bob.expect_signed_in(page)
    acting.tab_to(page, "projects.tab.settings")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "settings")
    acting.tab_to(page, "settings.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    acting.tab_to(page, "settings.signOut.confirm")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("alert.ok")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert")).to_have_count(0)
