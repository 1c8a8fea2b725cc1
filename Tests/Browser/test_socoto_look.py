"""How Socoto looks, fits its window, and is used without a mouse."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import acting
import contrast
import socoto
from conftest import shot
from foyer import MARK

SCREENS = ["loading", "welcome", "signup", "signup-owner", "signup-live",
           "signup-failure", "signup-notice", "signin", "signin-failure",
           "forgot", "forgot-failure", "forgot-notice", "profile",
           "profile-owner", "profile-unavailable", "profile-signOut"]
SIZES = [(320, 640), (390, 844), (768, 1024), (844, 390), (1024, 768),
         (1280, 800)]
PASSWORD = MARK + "-look"


@pytest.fixture(scope="module")
def known():
    """A project with a user, an owner, and one whose profile is missing."""
    script = socoto.listening(confirm=True)
    script.add("user@example.com", PASSWORD)
    script.add("owner@example.com", PASSWORD, role="business_owner")
    script.add("nobody@example.com", PASSWORD, profile=False)
    yield script
    script.server.stop()


def visit(name, page, foyer, known):
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        acting.start(page, foyer, "socoto")
        acting.arrive(page, "loading")
        return
    socoto.pointed(page, foyer, known)
    if screen == "signup":
        socoto.to_signup(page)
        show_signup(state, page)
    elif screen == "signin":
        socoto.to_signin(page)
        if state == "failure":
            socoto.login(page, "user@example.com", "wrong")
    elif screen == "forgot":
        socoto.to_forgot(page)
        if state:
            page.get_by_test_id("forgot.email").fill(
                "user@example.com" if state == "notice" else "invalid")
            socoto.press(page, "forgot.submit")
    elif screen == "profile":
        who = {"owner": "owner", "unavailable": "nobody"}.get(state, "user")
        socoto.to_signin(page)
        socoto.login(page, f"{who}@example.com", PASSWORD)
        acting.arrive(page, "profile")
        if state == "signOut":
            socoto.press(page, "profile.signOut")
            expect(page.get_by_test_id("profile.signOut.confirm")) \
                .to_be_visible()
    if state in ("failure", "notice"):
        expect(page.get_by_test_id(f"{screen}." + (
            "error" if state == "failure" else "notice"))).to_be_visible()


def show_signup(state, page):
    if state == "owner":
        socoto.card(page, "business_owner").click()
    elif state == "live":
        page.get_by_test_id("signup.password").fill(PASSWORD)
        page.get_by_test_id("signup.confirm").press_sequentially("x")
        expect(page.get_by_test_id("signup.confirm.error")).to_be_visible()
    elif state:
        socoto.signup(page, "user@example.com" if state == "notice"
                      else "invalid", PASSWORD)


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
        visitors, foyer, known, name):
    visitors.expect("ERR_FAILED")
    page = visitors.device(foyer, reduced_motion="reduce",
                           viewport={"width": 390, "height": 844})
    visit(name, page, foyer, known)
    acting.painted(page)
    shot(page, f"socoto-{name}-390")
    for width, height in SIZES:
        acting.resize(page, width, height)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{name} at {width}"
        if width in (320, 844, 1024):
            shot(page, f"socoto-{name}-{width}")
    page.set_viewport_size({"width": 390, "height": 844})
    assert visitors.unexpected() == []
    # What axe itself tries the policy does not allow.
    visitors.expect("Applying inline style")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", [
    "welcome", "signup-live", "signup-owner", "signup-notice",
    "signin-failure", "forgot-failure", "forgot-notice", "profile-owner",
    "profile-unavailable"])
def test_every_word_can_be_read(visitors, foyer, known, name):
    page = visitors.device(foyer, reduced_motion="reduce",
                           viewport={"width": 390, "height": 1150})
    visit(name, page, foyer, known)
    acting.painted(page)
    page.evaluate("document.activeElement?.blur()")
    for width in [320, 390, 1024]:
        acting.resize(page, width, 1150)
        page.wait_for_function("""() => document.getAnimations().every(
            one => one.playState === 'finished'
                || one.effect.getTiming().iterations === Infinity)""")
        assert contrast.poor(page) == [], width


@pytest.mark.parametrize("moment", [0, 2500, 5000])
def test_the_welcome_can_be_read_wherever_its_colours_are(
        visitors, foyer, known, moment):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    visit("welcome", page, foyer, known)
    moving = page.evaluate("""moment => {
        const all = document.getAnimations().filter(
            a => a.effect.getComputedTiming().iterations === Infinity);
        for (const one of all) { one.pause(); one.currentTime = moment; }
        return all.map(a => [a.animationName, a.effect.getTiming().duration,
            a.effect.getTiming().direction].join(' '));
    }""", moment)
    assert moving == ["drift 5000 alternate"]
    acting.drawn(page)
    assert contrast.poor(page) == []


def without_blur(page):
    """As a browser that cannot blur what lies behind a pane."""
    def answer(route):
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace(
            "@supports (backdrop-filter", "@supports (no-such-filter")
            .replace("backdrop-filter:", "no-such-filter:"))
    page.route("**/apps/socoto/*.css", answer)


def test_panes_are_glass_and_opaque_where_nothing_can_blur(
        visitors, foyer, known):
    glass = {}
    for blurs in [True, False]:
        page = visitors.device(foyer, reduced_motion="reduce",
                               viewport={"width": 390, "height": 1150})
        if not blurs:
            without_blur(page)
        visit("signup", page, foyer, known)
        part = page.locator(".card").nth(1)
        glass[blurs] = part.evaluate("e => getComputedStyle(e).backdropFilter")
        if not blurs:
            expect(part).to_have_css(
                "background-color", "rgba(40, 30, 70, 0.72)")
            shot(page, "socoto-signup-opaque-390")
            assert contrast.poor(page) == []
    assert glass[True].startswith("blur(20px) saturate(1.8)")
    assert glass[False] == "none"


@pytest.mark.parametrize("name", [
    "welcome", "signup", "signup-notice", "signin", "forgot",
    "forgot-notice", "profile", "profile-signOut"])
def test_every_target_is_44_points_high(visitors, foyer, known, name):
    page = visitors.device(foyer, viewport={"width": 320, "height": 640},
                           reduced_motion="reduce")
    visit(name, page, foyer, known)
    acting.painted(page)
    small = page.evaluate("""() => {
        const seen = e => e.checkVisibility({visibilityProperty: true})
            && !e.closest('[inert]') && !e.closest('.unseen');
        const high = e => {
            if (e.matches('.card-input')) e = e.closest('label');
            const around = parseFloat(getComputedStyle(e, '::before').top);
            const more = e.matches('.toggle-input') ? -2 * around : 0;
            return e.getBoundingClientRect().height + more;
        };
        return [...document.querySelectorAll('a, button, input')]
            .filter(e => e.type !== 'hidden' && seen(e) && high(e) < 43.9)
            .map(e => e.dataset.testid + ' ' + high(e));
    }""")
    assert small == []


def test_colours_and_shapes_are_the_sheets(page, foyer, known):
    page.set_viewport_size({"width": 390, "height": 844})
    visit("signin", page, foyer, known)
    for scheme in ["light", "dark"]:
        # There is no light Socoto.
        page.emulate_media(color_scheme=scheme)
        colours = page.evaluate(
            "getComputedStyle(document.body, '::before').backgroundImage")
        for colour in ["rgb(74, 144, 226)", "rgb(155, 89, 182) 50%",
                       "rgb(26, 188, 156)", "155.2deg"]:
            assert colour in colours
    title = page.get_by_role("heading", name="Welcome Back")
    expect(title).to_have_css("font-weight", "800")
    assert 34 <= float(title.evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize)")) <= 57
    # Told in the document's red and green, on a plate they can be read on.
    socoto.login(page, "user@example.com", "wrong")
    expect(page.get_by_test_id("signin.error")).to_have_css(
        "color", "rgb(231, 76, 60)")
    submit = page.get_by_test_id("signin.submit")
    expect(submit).to_have_css("min-height", "56px")
    expect(submit).to_have_css("border-radius", "12px")
    expect(page.get_by_test_id("signin.email")).to_have_css("height", "50px")
    form = page.locator("form").first
    page.set_viewport_size({"width": 1280, "height": 900})
    acting.painted(page)
    box = form.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_what_moves_stands_still_for_who_wants_it(visitors, foyer, known):
    moves = {}
    for motion in ["no-preference", "reduce"]:
        page = visitors.device(foyer, reduced_motion=motion)
        visit("welcome", page, foyer, known)
        drift = page.locator(".drift").evaluate(
            "e => getComputedStyle(e, '::after').animationName")
        socoto.to_signup(page)
        card = socoto.card(page, "business_owner")
        card.click()
        grows = card.evaluate("e => getComputedStyle(e).transitionProperty")
        moves[motion] = (drift, "scale" in grows)
        expect(card).to_have_css("scale", "1.02")
    assert moves == {"no-preference": ("drift", True),
                     "reduce": ("none", False)}


def test_a_pressed_button_gives_way(visitors, foyer, known):
    page = visitors.device(foyer, reduced_motion="no-preference")
    visit("welcome", page, foyer, known)
    acting.painted(page)
    box = page.get_by_test_id("welcome.signin").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    expect(page.get_by_test_id("welcome.signin")).to_have_css("scale", "0.98")
    page.mouse.move(2, 2)
    page.mouse.up()


def test_return_moves_on_and_the_last_one_sends(page, foyer, known):
    visit("signup", page, foyer, known)
    email = "return@example.com"

    def sent():
        return [body for body in known.bodies_of("signup")
                if body["email"] == email]

    page.get_by_test_id("signup.terms").check()
    page.get_by_test_id("signup.fullName").focus()
    for name, text, key in [
            ("fullName", "Maya Okafor", "next"), ("email", email, "next"),
            ("password", PASSWORD, "next"), ("confirm", PASSWORD, "go")]:
        field = page.get_by_test_id(f"signup.{name}")
        expect(field).to_be_focused()
        expect(field).to_have_attribute("enterkeyhint", key)
        page.keyboard.type(text)
        assert not sent()
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert len(sent()) == 1
    known.follow(email)
    socoto.press(page, "signup.signin")
    acting.arrive(page, "signin")
    page.get_by_test_id("signin.email").fill(email)
    page.get_by_test_id("signin.email").press("Enter")
    expect(page.get_by_test_id("signin.password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    acting.arrive(page, "profile")


def test_a_tap_beside_the_fields_takes_the_keyboard_away(
        page, foyer, known):
    visit("forgot", page, foyer, known)
    field = page.get_by_test_id("forgot.email")
    expect(field).to_have_attribute("enterkeyhint", "send")
    field.click()
    expect(field).to_be_focused()
    page.get_by_role("heading", name="Reset Password").click()
    expect(field).not_to_be_focused()


def test_an_account_by_keyboard_alone(page, foyer, known):
    visit("welcome", page, foyer, known)

    def tab_to(name):
        for _ in range(25):
            here = page.evaluate(
                "document.activeElement?.dataset.testid ?? ''")
            if here == name:
                ring = page.evaluate("""() => {
                    const here = document.activeElement;
                    const around = here.closest('.field-box, .card');
                    return getComputedStyle(here).outlineStyle !== 'none'
                        || (around && (
                            getComputedStyle(around).boxShadow !== 'none'
                            || getComputedStyle(around).outlineStyle
                                !== 'none'));
                }""")
                assert ring, f"{name} has the focus and does not show it"
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {name}")

    tab_to("welcome.signup")
    page.keyboard.press("Enter")
    acting.arrive(page, "signup")
    tab_to("signup.role.user")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    for name, text in [("fullName", "Maya Okafor"),
                       ("email", "keys@example.com"),
                       ("password", PASSWORD), ("confirm", PASSWORD)]:
        tab_to(f"signup.{name}")
        page.keyboard.type(text)
    tab_to("signup.terms")
    page.keyboard.press("Space")
    # Return in a field sends the form.
    page.get_by_test_id("signup.confirm").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    [data] = [body["data"] for body in known.bodies_of("signup")
              if body["email"] == "keys@example.com"]
    assert data["role"] == "business_owner"
    known.follow("keys@example.com")
    tab_to("signup.signin")
    page.keyboard.press("Enter")
    acting.arrive(page, "signin")
    tab_to("signin.email")
    page.keyboard.type("keys@example.com")
    tab_to("signin.password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    acting.arrive(page, "profile")
    tab_to("profile.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("profile.signOut.cancel")).to_be_focused()
    page.keyboard.press("Escape")
    acting.arrive(page, "profile")
