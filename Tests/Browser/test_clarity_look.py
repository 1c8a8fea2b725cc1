"""How CLARITY Pulse looks, fits its window, and is used without a mouse."""

import re

import acting
import pulse
from playwright.sync_api import expect
from pulse import known_firebase  # noqa: F401  (a fixture)


def test_the_form_is_at_most_400_wide_and_centred(page, foyer, known_firebase):
    pulse.pointed(page, foyer, known_firebase.server)
    acting.arrive(page, "login")
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_colours_and_shapes_are_the_sheets(page, foyer, known_firebase):
    page.emulate_media(color_scheme="light")
    pulse.pointed(page, foyer, known_firebase.server)
    acting.arrive(page, "login")

    def of(name, what):
        return page.get_by_test_id(name).evaluate("(e, what) => getComputedStyle(e)[what]", what)

    assert of("login.submit", "backgroundColor") == "rgb(0, 103, 217)"
    assert of("login.submit", "height") == "54px"
    assert of("login.submit", "borderRadius") == "10px"
    assert of("login.email", "backgroundColor") == "rgb(242, 242, 247)"
    assert of("login.email", "height") == "54px"
    title = page.get_by_role("heading", name="CLARITY Pulse")
    assert title.evaluate("e => getComputedStyle(e).fontSize") == "34px"
    page.emulate_media(color_scheme="dark")
    assert of("login.submit", "backgroundColor") == "rgb(10, 111, 224)"
    assert of("login.email", "backgroundColor") == "rgb(28, 28, 30)"
    body = page.locator("body")
    assert body.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(0, 0, 0)"


def test_who_wants_less_motion_sees_a_still_heart(visitors, foyer, known_firebase):
    visitors.unanswered("ERR_FAILED", "/assets/screen.js")
    beats = {}
    for motion in ["no-preference", "reduce"]:
        page = visitors.device(foyer, reduced_motion=motion)
        pulse.stand(page, foyer, known_firebase, "loading")
        beats[motion] = page.locator(".pulse").evaluate("e => getComputedStyle(e).animationName")
    assert beats == {"no-preference": "beat", "reduce": "none"}


def test_a_switch_is_a_checkbox_that_says_what_it_accepts(page, foyer, known_firebase):
    pulse.stand(page, foyer, known_firebase, "register")
    switch = page.get_by_role("checkbox", name=re.compile("I accept the Terms of Service"))
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_be_checked()
    expect(switch).to_have_css("background-color", "rgb(52, 199, 89)")


def test_a_login_by_keyboard_alone(page, foyer, known_firebase):
    pulse.pointed(page, foyer, known_firebase.server)
    acting.arrive(page, "login")

    acting.tab_to(page, "login.email", acting.OUTLINE)
    page.keyboard.type("in@example.com")
    acting.tab_to(page, "login.password", acting.OUTLINE)
    page.keyboard.type(pulse.LOOK)
    page.keyboard.press("Enter")
    acting.arrive(page, "dashboard")
    acting.tab_to(page, "dashboard.tab.settings", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.arrive(page, "settings")
    acting.tab_to(page, "settings.signOut", acting.OUTLINE)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    acting.tab_to(page, "settings.signOut.confirm", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.arrive(page, "login")
