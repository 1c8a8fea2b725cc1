"""How Anonymous Wall looks, fits its window, and is used without a mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import acting
import anonymous
from anonymous import document, fill, press  # noqa: F401
from conftest import shot

SAM = "sam@campus.edu"
STATES = ["start", "landing", "register", "register-error",
          "register-failure", "register-alert", "login", "login-sent",
          "login-failure", "wall"]
SIZES = [(320, 640), (390, 844), (768, 1024), (844, 390), (1024, 768),
         (1280, 800)]
PHONE = {"width": 390, "height": 844}


def visit(name, page, foyer, document):  # noqa: F811
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "start":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        page.goto(f"{foyer.base}/apps/wall/")
        acting.arrive(page, "start")
        return
    if screen == "wall":
        anonymous.enter(page, foyer, document, SAM)
        return
    anonymous.pointed(page, foyer, document)
    if screen == "register":
        anonymous.to_register(page)
    elif screen == "login":
        anonymous.to_login(page)
    if not state:
        return
    fill(page, f"{screen}.email", "sam" if state == "error" else SAM)
    if state == "sent":
        anonymous.get_code(page, SAM)
        fill(page, "login.code", "4820")
        return
    if screen == "login":
        fill(page, "login.code", "482016")
    if name == "register-failure":
        document.say("/auth/register", document.refusal(
            429, "Too many codes were asked for. Please wait a while."))
    press(page, f"{screen}.submit")
    seen = {"error": "register.email.error", "alert": "alert",
            "failure": f"{screen}.error"}[state]
    expect(page.get_by_test_id(seen)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
        visitors, foyer, document, name, scheme):  # noqa: F811
    visitors.expect("ERR_FAILED")
    page = visitors.device(foyer, color_scheme=scheme,
                           reduced_motion="reduce", viewport=PHONE)
    visit(name, page, foyer, document)
    acting.painted(page)
    for width, height in SIZES:
        acting.resize(page, width, height)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} at {width}"
        shot(page, f"wall-{name}-{width}-{scheme}")
    page.set_viewport_size(PHONE)
    assert visitors.unexpected() == []
    # What axe itself tries the policy does not allow.
    visitors.expect("Applying inline style")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", [
    "landing", "register", "register-alert", "login-failure", "wall"])
def test_every_target_is_44_points_high(
        visitors, foyer, document, name):  # noqa: F811
    page = visitors.device(foyer, viewport={"width": 320, "height": 640},
                           reduced_motion="reduce")
    visit(name, page, foyer, document)
    acting.painted(page)
    small = page.evaluate("""() => {
        const seen = e => e.checkVisibility({visibilityProperty: true})
            && !e.closest('[inert]') && !e.closest('.unseen');
        return [...document.querySelectorAll('a, button, input')]
            .filter(e => e.type !== 'hidden' && seen(e)
                && e.getBoundingClientRect().height < 43.9)
            .map(e => e.dataset.testid);
    }""")
    assert small == []


def style(page, name, what):
    acting.painted(page)
    return page.get_by_test_id(name).evaluate(
        "(e, what) => getComputedStyle(e)[what]", what)


def test_light_and_dark_follow_the_system(
        page, foyer, document):  # noqa: F811
    anonymous.pointed(page, foyer, document)

    def shown(scheme):
        page.emulate_media(color_scheme=scheme)
        page_colour = page.locator("body").evaluate(
            "e => getComputedStyle(e).backgroundColor")
        return (page_colour,
                style(page, "landing.register", "backgroundColor"),
                style(page, "landing.login", "backgroundColor"),
                page.locator(".glyph").evaluate(
                    "e => getComputedStyle(e).backgroundColor"))

    white = "rgb(255, 255, 255)"
    assert shown("light") == (
        white, "rgb(0, 103, 217)", white, "rgb(0, 122, 255)")
    # The outlined Login stays white in the dark.
    assert shown("dark") == (
        "rgb(0, 0, 0)", "rgb(10, 111, 224)", white, "rgb(10, 132, 255)")


def test_colours_and_shapes_are_the_sheets(
        page, foyer, document):  # noqa: F811
    page.emulate_media(color_scheme="light")
    visit("login-failure", page, foyer, document)
    assert style(page, "login.submit", "height") == "50px"
    assert style(page, "login.submit", "borderRadius") == "10px"
    assert style(page, "login.email", "backgroundColor") \
        == "rgb(242, 242, 247)"
    assert style(page, "login.email", "borderRadius") == "10px"
    assert style(page, "login.error", "color") == "rgb(215, 0, 21)"
    assert style(page, "login.error", "fontSize") == "12px"
    title = page.get_by_role("heading", name="Welcome Back")
    assert title.evaluate("e => getComputedStyle(e).fontSize") == "34px"
    anonymous.get_code(page, SAM)
    assert style(page, "login.notice", "color") == "rgb(30, 122, 52)"
    fill(page, "login.code", "")
    assert style(page, "login.submit", "backgroundColor") \
        == "rgb(116, 116, 120)"


def test_the_code_is_asked_for_beside_the_address(
        visitors, foyer, document):  # noqa: F811
    for width in (320, 390, 1280):
        page = visitors.device(
            foyer, viewport={"width": width, "height": 844})
        visit("login", page, foyer, document)
        acting.painted(page)
        field, button, label = (
            part.bounding_box() for part in (
                page.get_by_test_id("login.email"),
                page.get_by_test_id("login.getCode"),
                page.get_by_text("Email", exact=True)))
        assert abs(field["y"] - button["y"]) <= 1
        assert abs(field["height"] - button["height"]) <= 1
        assert field["x"] + field["width"] < button["x"]
        assert label["y"] + label["height"] <= field["y"]
        form = page.locator("form").first.bounding_box()
        assert form["width"] <= 400
        assert abs(form["x"] + form["width"] / 2 - width / 2) <= 2


def test_a_phone_on_its_side_scrolls_to_the_button(
        visitors, foyer, document):  # noqa: F811
    page = visitors.device(foyer, viewport={"width": 844, "height": 390})
    visit("login", page, foyer, document)
    expect(page.locator(".head .glyph")).to_be_hidden()
    button = page.get_by_test_id("login.submit")
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport(ratio=1)


def test_less_motion_means_fades(visitors, foyer, document):  # noqa: F811
    for motion, name in [("no-preference", "alert-in"), ("reduce", "fade")]:
        page = visitors.device(foyer, reduced_motion=motion)
        visit("register-alert", page, foyer, document)
        assert style(page, "alert", "animationName") == name


def test_a_login_by_keyboard_alone(page, foyer, document):  # noqa: F811
    anonymous.pointed(page, foyer, document)

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

    def write(name, text):
        tab_to(name)
        page.keyboard.type(text)

    tab_to("landing.register")
    page.keyboard.press("Enter")
    acting.arrive(page, "register")
    write("register.email", SAM)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("alert.ok")).to_be_focused()
    page.keyboard.press("Enter")
    acting.arrive(page, "login")
    tab_to("login.getCode")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("login.notice")).to_be_visible()
    write("login.code", document.code(SAM))
    page.keyboard.press("Enter")
    anonymous.signed_in(page, SAM)
    tab_to("wall.logout")
    page.keyboard.press("Enter")
    acting.arrive(page, "landing")
