"""How Bob the Builder looks, fits its window, and is used without a mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import acting
import bob
from bob import nest  # noqa: F401  (a fixture)
from conftest import shot
from foyer import MARK

STATES = ["splash", "login", "errors", "enabled", "alert", "prompt",
          "register", "mismatch", "projects", "rfis", "settings", "sign-out",
          "signed-out"]
SIZES = [(320, 640), (390, 844), (768, 1024), (844, 390), (1024, 768),
         (1280, 800)]


def stand(page, foyer, state):
    """A page standing on what `state` means; nothing is sent anywhere."""
    if state == "splash":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        page.goto(foyer.base + "/apps/bob/")
        acting.arrive(page, "splash")
        return
    bob.point(page, foyer, "http://127.0.0.1:9/api", "development",
              biometrics="faceID")
    acting.arrive(page, "login")
    part = page.get_by_test_id
    if state == "errors":
        bob.fill(page, "test", "123")
        expect(part("login.password.error")).to_be_visible()
    elif state == "enabled":
        bob.fill(page, "bob@example.com", MARK)
        expect(part("login.submit")).to_be_enabled()
    elif state in ("alert", "prompt"):
        part("login.biometric").click()
        expect(part("login.biometric.prompt")).to_be_visible()
        if state == "alert":
            part("login.biometric.noMatch").click()
            expect(part("alert")).to_be_visible()
    elif state in ("register", "mismatch"):
        part("login.register").click()
        acting.arrive(page, "register")
        if state == "mismatch":
            part("register.password").fill(MARK)
            part("register.confirm").fill("other")
            expect(part("register.confirm.error")).to_be_visible()
            expect(part("register.password.strength")).to_be_visible()
    elif state != "login":
        part("login.skip").click()
        acting.arrive(page, "projects")
        if state == "projects":
            return
        if state == "rfis":
            part("projects.tab.rfis").click()
            acting.arrive(page, "rfis")
            return
        part("projects.tab.settings").click()
        acting.arrive(page, "settings")
        if state != "settings":
            part("settings.signOut").click()
            expect(part("settings.signOut.dialog")).to_be_visible()
        if state == "signed-out":
            part("settings.signOut.confirm").click()
            expect(part("alert")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
        visitors, foyer, state, scheme):
    visitors.expect("ERR_FAILED")
    page = visitors.device(foyer, color_scheme=scheme, reduced_motion="reduce",
                           viewport={"width": 390, "height": 844})
    stand(page, foyer, state)
    acting.painted(page)
    assert visitors.unexpected() == []
    shot(page, f"bob-{state}-390-{scheme}")
    for width, height in SIZES:
        acting.resize(page, width, height)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{state} at {width}"
        if scheme == "light" and state in ("login", "projects", "settings"):
            shot(page, f"bob-{state}-{width}-{scheme}")
    page.set_viewport_size({"width": 390, "height": 844})
    # What axe itself tries the policy does not allow.
    visitors.expect("Applying inline style")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("state", ["login", "errors", "register", "prompt",
                                   "projects", "settings", "sign-out"])
def test_every_target_is_44_points_high(visitors, foyer, state):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    stand(page, foyer, state)
    acting.painted(page)
    small = page.evaluate("""() => [...document.querySelectorAll(
            'a[href], button, input:not([type=hidden])')]
        .filter(e => e.checkVisibility() && !e.closest('[inert]')
            && !e.matches('.unseen'))
        .map(e => [e.dataset.testid, e.getBoundingClientRect()])
        .filter(([, b]) => b.height < 43.9 || b.width < 43.9)
        .map(([name, b]) => `${name}: ${b.width} x ${b.height}`)""")
    assert small == []


def style(locator, name):
    return locator.evaluate("(e, name) => getComputedStyle(e)[name]", name)


@pytest.mark.parametrize("scheme, wanted", [
    ("light", {"tint": "rgb(0, 122, 255)", "fill": "rgb(0, 103, 217)",
               "well": "rgb(242, 242, 247)", "off": "rgb(116, 116, 120)",
               "from": "rgb(230, 242, 255)"}),
    ("dark", {"tint": "rgb(10, 132, 255)", "fill": "rgb(10, 111, 224)",
              "well": "rgb(28, 28, 30)", "off": "rgb(110, 110, 115)",
              "from": "rgb(10, 22, 38)"}),
])
def test_colours_and_shapes_follow_the_system(
        visitors, foyer, scheme, wanted):
    page = visitors.device(foyer, color_scheme=scheme,
                           viewport={"width": 393, "height": 852})
    stand(page, foyer, "login")
    button = page.get_by_test_id("login.submit")
    # The look comes a moment after the screen.
    expect(page.locator(".hammer")).to_have_css("color", wanted["tint"])
    assert style(page.locator(".hammer"), "width") == "80px"
    box = page.locator(".field-box").first
    assert style(box, "backgroundColor") == wanted["well"]
    assert style(box, "borderRadius") == "10px"
    assert style(box, "height") == "54px"
    expect(button).to_have_css("background-color", wanted["off"])
    assert style(button, "borderRadius") == "10px"
    wash = page.evaluate(
        "getComputedStyle(document.body, '::before').backgroundImage")
    assert wash.startswith(f"linear-gradient(155.2deg, {wanted['from']}")
    bob.fill(page, "bob@example.com", MARK)
    expect(button).to_be_enabled()
    expect(button).to_have_css("background-color", wanted["fill"])


def test_the_form_is_at_most_400_wide_and_centred(page, foyer):
    stand(page, foyer, "login")
    acting.painted(page)
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_a_phone_on_its_side_scrolls_to_the_button(page, foyer):
    page.set_viewport_size({"width": 844, "height": 390})
    stand(page, foyer, "login")
    page.get_by_test_id("login.submit").scroll_into_view_if_needed()
    expect(page.get_by_test_id("login.submit")).to_be_in_viewport(ratio=1)


def test_who_asked_for_less_motion_sees_no_hammer_swing(visitors, foyer):
    visitors.expect("ERR_FAILED")
    page = visitors.device(foyer, reduced_motion="reduce")
    stand(page, foyer, "splash")
    assert style(page.locator(".hammer"), "animationName") == "none"
    assert style(page.locator(".spinner"), "animationDuration") == "1s"


def test_the_way_in_and_out_by_keyboard_alone(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")

    def tab_to(name):
        for _ in range(30):
            page.keyboard.press("Tab")
            if name == page.evaluate(
                    "document.activeElement?.dataset.testid ?? ''"):
                return
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("login.email")
    page.keyboard.type(email)
    tab_to("login.password")
    page.keyboard.type(password)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    page.keyboard.press("Enter")
    bob.signed_in(page)
    tab_to("projects.tab.settings")
    page.keyboard.press("Enter")
    acting.arrive(page, "settings")
    tab_to("settings.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    tab_to("settings.signOut.confirm")
    page.keyboard.press("Enter")
    acting.arrive(page, "login")
    expect(page.get_by_test_id("alert.ok")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert")).to_have_count(0)
