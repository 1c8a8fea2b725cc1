"""Mystica's colors and shapes, its layout, and its use without a mouse."""

import acting
from playwright.sync_api import expect


def test_sign_in_and_log_out_by_keyboard(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.expect_screen(page, "login")

    acting.tab_to(page, "login.email")
    page.keyboard.type(email)
    acting.tab_to(page, "login.password")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    acting.expect_signed_in(page, email)
    acting.tab_to(page, "map.settings")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "settings")
    acting.tab_to(page, "settings.logout")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.logout.cancel")).to_be_focused()
    acting.tab_to(page, "settings.logout.confirm")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "login")


def test_the_form_is_at_most_400_wide_and_centered(page, foyer):
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    middle = box["x"] + box["width"] / 2
    assert abs(middle - 640) <= 2


def test_colors_and_shapes_match_the_design_document(page, foyer):
    acting.start(page, foyer)
    acting.expect_screen(page, "login")

    def style(locator, name):
        return locator.evaluate("(e, name) => getComputedStyle(e)[name]", name)

    panel = page.locator(".panel").first
    button = page.get_by_test_id("login.submit")
    assert style(page.locator("body"), "backgroundColor") == "rgb(45, 24, 16)"
    assert style(panel, "backgroundColor") == "rgb(139, 69, 19)"
    assert style(button, "backgroundColor") == "rgb(91, 164, 184)"
    assert style(button, "color") == "rgb(45, 24, 16)"
    assert style(button, "height") == "48px"
    assert style(button, "borderRadius") == "12px"
    label = button.locator(".button-label")
    assert "Impact" in style(label, "fontFamily")
    assert style(label, "fontSize") == "17px"


def test_a_landscape_phone_scrolls_to_the_button(page, foyer):
    page.set_viewport_size({"width": 844, "height": 320})
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    page.get_by_test_id("login.submit").scroll_into_view_if_needed()
    expect(page.get_by_test_id("login.submit")).to_be_in_viewport(ratio=1)
