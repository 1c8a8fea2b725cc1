"""How CLARITY Pulse looks, fits its window, and is used without a mouse."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import acting
import pulse
from conftest import shot
from firebase import Firebase
from foyer import MARK
from standin import StandIn

SCREENS = ["loading", "login", "login-failure", "register", "register-live",
           "register-failure", "register-alert", "reset", "reset-notice",
           "newPassword", "confirm", "verify", "verify-notice",
           "verify-toast", "dashboard", "chat", "settings",
           "settings-signOut", "settings-delete"]
SIZES = [(320, 640), (390, 844), (768, 1024), (844, 390), (1024, 768),
         (1280, 800)]
PASSWORD = MARK + "-look"


@pytest.fixture(scope="module")
def known():
    """Firebase with one person it has verified and one it has not."""
    script = Firebase()
    script.add("in@example.com", PASSWORD, name="Avery Quinn")
    script.add("out@example.com", PASSWORD, verified=False)
    script.server = StandIn(script)
    yield script
    script.server.stop()


def visit(name, page, foyer, known):
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        pulse.pointed(page, foyer, known.server)
        acting.arrive(page, "loading")
        return
    pulse.pointed(page, foyer, known.server)
    acting.arrive(page, "login")
    if screen in ("reset", "register"):
        page.get_by_test_id(f"login.{screen}").click()
        acting.arrive(page, screen)
    if screen in ("newPassword", "confirm"):
        page.goto(f"{foyer.base}/apps/clarity/{screen}")
        acting.arrive(page, screen)
    if screen in ("verify", "dashboard", "chat", "settings"):
        who = "out" if screen == "verify" else "in"
        pulse.login(page, f"{who}@example.com", PASSWORD)
        acting.arrive(page, "verify" if screen == "verify" else "dashboard")
        if screen in ("chat", "settings"):
            page.get_by_test_id(f"dashboard.tab.{screen}").click()
            acting.arrive(page, screen)
    show(state, page, screen, known)


def show(state, page, screen, known):
    """Brings the screen into its state."""
    if state == "failure" and screen == "login":
        pulse.login(page, "in@example.com", "wrong")
    elif state == "failure":
        pulse.fill_register(page, "a@example.com", PASSWORD, privacy=False)
        page.get_by_test_id("register.submit").click()
    elif state == "live":
        page.get_by_test_id("register.password").press_sequentially("abc")
        expect(page.get_by_test_id("register.password.error")).to_be_visible()
    elif state == "alert":
        email = f"look{len(known.people)}@example.com"
        pulse.fill_register(page, email, PASSWORD)
        page.get_by_test_id("register.submit").click()
        expect(page.get_by_test_id("alert")).to_be_visible()
    elif state == "notice" and screen == "reset":
        page.get_by_test_id("reset.email").fill("in@example.com")
        page.get_by_test_id("reset.submit").click()
    elif state == "notice":
        page.get_by_test_id("verify.verified").click()
    elif state == "toast":
        page.get_by_test_id("verify.resend").click()
    elif state:
        page.get_by_test_id(f"settings.{state}").click()
        expect(page.get_by_test_id(
            f"settings.{state}.confirm")).to_be_visible()
    if state in ("failure", "notice", "toast"):
        seen = "toast" if state == "toast" else (
            f"{screen}.{'error' if state == 'failure' else state}")
        expect(page.get_by_test_id(seen)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
        visitors, foyer, known, name, scheme):
    visitors.expect("ERR_FAILED")
    page = visitors.device(foyer, color_scheme=scheme,
                           reduced_motion="reduce",
                           viewport={"width": 390, "height": 844})
    visit(name, page, foyer, known)
    acting.painted(page)
    shot(page, f"clarity-{name}-390-{scheme}")
    for width, height in SIZES:
        acting.resize(page, width, height)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} at {width}"
    page.set_viewport_size({"width": 390, "height": 844})
    assert visitors.unexpected() == []
    # What axe itself tries the policy does not allow.
    visitors.expect("Applying inline style")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", [
    "login", "register", "reset", "reset-notice", "confirm", "verify",
    "dashboard", "settings", "settings-signOut"])
def test_every_target_is_44_points_high(visitors, foyer, known, name):
    page = visitors.device(foyer, viewport={"width": 320, "height": 640},
                           reduced_motion="reduce")
    visit(name, page, foyer, known)
    acting.painted(page)
    small = page.evaluate("""() => {
        const seen = e => e.checkVisibility({visibilityProperty: true})
            && !e.closest('[inert]') && !e.closest('.unseen');
        const high = e => e.matches('.toggle-input')
            ? e.getBoundingClientRect().height + 14
            : e.getBoundingClientRect().height;
        return [...document.querySelectorAll('a, button, input')]
            .filter(e => e.type !== 'hidden' && seen(e) && high(e) < 43.9)
            .map(e => e.dataset.testid + ' ' + high(e));
    }""")
    assert small == []


def test_the_form_is_at_most_400_wide_and_centred(page, foyer, known):
    pulse.pointed(page, foyer, known.server)
    acting.arrive(page, "login")
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_colours_and_shapes_are_the_sheets(page, foyer, known):
    page.emulate_media(color_scheme="light")
    pulse.pointed(page, foyer, known.server)
    acting.arrive(page, "login")

    def of(name, what):
        return page.get_by_test_id(name).evaluate(
            "(e, what) => getComputedStyle(e)[what]", what)

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
    assert body.evaluate(
        "e => getComputedStyle(e).backgroundColor") == "rgb(0, 0, 0)"


def test_who_wants_less_motion_sees_a_still_heart(visitors, foyer, known):
    visitors.expect("ERR_FAILED")
    beats = {}
    for motion in ["no-preference", "reduce"]:
        page = visitors.device(foyer, reduced_motion=motion)
        visit("loading", page, foyer, known)
        beats[motion] = page.locator(".pulse").evaluate(
            "e => getComputedStyle(e).animationName")
    assert beats == {"no-preference": "beat", "reduce": "none"}


def test_a_switch_is_a_checkbox_that_says_what_it_accepts(
        page, foyer, known):
    visit("register", page, foyer, known)
    switch = page.get_by_role(
        "checkbox", name=re.compile("I accept the Terms of Service"))
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_be_checked()
    expect(switch).to_have_css("background-color", "rgb(52, 199, 89)")


def test_a_login_by_keyboard_alone(page, foyer, known):
    pulse.pointed(page, foyer, known.server)
    acting.arrive(page, "login")

    def tab_to(name):
        for _ in range(25):
            here = page.evaluate(
                "document.activeElement?.dataset.testid ?? ''")
            if here == name:
                assert page.evaluate(
                    "getComputedStyle(document.activeElement)"
                    ".outlineStyle") != "none", name
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("login.email")
    page.keyboard.type("in@example.com")
    tab_to("login.password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    acting.arrive(page, "dashboard")
    tab_to("dashboard.tab.settings")
    page.keyboard.press("Enter")
    acting.arrive(page, "settings")
    tab_to("settings.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    tab_to("settings.signOut.confirm")
    page.keyboard.press("Enter")
    acting.arrive(page, "login")
