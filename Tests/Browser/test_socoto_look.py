"""How Socoto looks, fits its window, and is used without a mouse."""

import acting
import contrast
import pytest
import socoto
from conftest import shot
from playwright.sync_api import expect
from socoto import known_supabase  # noqa: F401  (a fixture)


@pytest.mark.parametrize(
    "name",
    [
        "welcome",
        "signup-live",
        "signup-owner",
        "signup-notice",
        "signin-failure",
        "forgot-failure",
        "forgot-notice",
        "profile-owner",
        "profile-unavailable",
    ],
)
def test_every_word_can_be_read(visitors, foyer, known_supabase, name):
    page = visitors.device(foyer, reduced_motion="reduce", viewport={"width": 390, "height": 1150})
    socoto.stand(page, foyer, known_supabase, name)
    acting.painted(page)
    page.evaluate("document.activeElement?.blur()")
    for width in [320, 390, 1024]:
        acting.resize(page, width, 1150)
        acting.settled(page)
        assert contrast.poor(page) == [], width


@pytest.mark.parametrize("moment", [0, 2500, 5000])
def test_the_welcome_can_be_read_wherever_its_colours_are(visitors, foyer, known_supabase, moment):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    socoto.stand(page, foyer, known_supabase, "welcome")
    moving = page.evaluate(
        """moment => {
        const all = document.getAnimations().filter(
            a => a.effect.getComputedTiming().iterations === Infinity);
        for (const one of all) { one.pause(); one.currentTime = moment; }
        return all.map(a => [a.animationName, a.effect.getTiming().duration,
            a.effect.getTiming().direction].join(' '));
    }""",
        moment,
    )
    assert moving == ["drift 5000 alternate"]
    acting.drawn(page)
    assert contrast.poor(page) == []


def without_blur(page):
    """As a browser that cannot blur what lies behind a pane."""

    def answer(route):
        response = route.fetch()
        route.fulfill(
            response=response,
            body=response.text()
            .replace("@supports (backdrop-filter", "@supports (no-such-filter")
            .replace("backdrop-filter:", "no-such-filter:"),
        )

    page.route("**/apps/socoto/*.css", answer)


def test_panes_are_glass_and_opaque_where_nothing_can_blur(visitors, foyer, known_supabase):
    glass = {}
    for blurs in [True, False]:
        page = visitors.device(
            foyer, reduced_motion="reduce", viewport={"width": 390, "height": 1150}
        )
        if not blurs:
            without_blur(page)
        socoto.stand(page, foyer, known_supabase, "signup")
        part = page.locator(".card").nth(1)
        glass[blurs] = part.evaluate("e => getComputedStyle(e).backdropFilter")
        if not blurs:
            expect(part).to_have_css("background-color", "rgba(40, 30, 70, 0.72)")
            shot(page, "socoto-signup-opaque-390")
            assert contrast.poor(page) == []
    assert glass[True].startswith("blur(20px) saturate(1.8)")
    assert glass[False] == "none"


def test_colours_and_shapes_are_the_sheets(page, foyer, known_supabase):
    page.set_viewport_size({"width": 390, "height": 844})
    socoto.stand(page, foyer, known_supabase, "signin")
    for scheme in ["light", "dark"]:
        # There is no light Socoto.
        page.emulate_media(color_scheme=scheme)
        colours = page.evaluate("getComputedStyle(document.body, '::before').backgroundImage")
        for colour in [
            "rgb(74, 144, 226)",
            "rgb(155, 89, 182) 50%",
            "rgb(26, 188, 156)",
            "155.2deg",
        ]:
            assert colour in colours
    title = page.get_by_role("heading", name="Welcome Back")
    expect(title).to_have_css("font-weight", "800")
    assert 34 <= float(title.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) <= 57
    # Told in the document's red and green, on a plate they can be read on.
    socoto.login(page, "user@example.com", "wrong")
    expect(page.get_by_test_id("signin.error")).to_have_css("color", "rgb(231, 76, 60)")
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


def test_what_moves_stands_still_for_who_wants_it(visitors, foyer, known_supabase):
    moves = {}
    for motion in ["no-preference", "reduce"]:
        page = visitors.device(foyer, reduced_motion=motion)
        socoto.stand(page, foyer, known_supabase, "welcome")
        drift = page.locator(".drift").evaluate("e => getComputedStyle(e, '::after').animationName")
        socoto.to_signup(page)
        card = socoto.card(page, "business_owner")
        card.click()
        grows = card.evaluate("e => getComputedStyle(e).transitionProperty")
        moves[motion] = (drift, "scale" in grows)
        expect(card).to_have_css("scale", "1.02")
    assert moves == {"no-preference": ("drift", True), "reduce": ("none", False)}


def test_a_pressed_button_gives_way(visitors, foyer, known_supabase):
    page = visitors.device(foyer, reduced_motion="no-preference")
    socoto.stand(page, foyer, known_supabase, "welcome")
    acting.painted(page)
    box = page.get_by_test_id("welcome.signin").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    expect(page.get_by_test_id("welcome.signin")).to_have_css("scale", "0.98")
    page.mouse.move(2, 2)
    page.mouse.up()


def test_return_moves_on_and_the_last_one_sends(page, foyer, known_supabase):
    socoto.stand(page, foyer, known_supabase, "signup")
    email = "return@example.com"

    def sent():
        return [body for body in known_supabase.bodies_of("signup") if body["email"] == email]

    page.get_by_test_id("signup.terms").check()
    page.get_by_test_id("signup.fullName").focus()
    for name, text, key in [
        ("fullName", "Maya Okafor", "next"),
        ("email", email, "next"),
        ("password", socoto.LOOK, "next"),
        ("confirm", socoto.LOOK, "go"),
    ]:
        field = page.get_by_test_id(f"signup.{name}")
        expect(field).to_be_focused()
        expect(field).to_have_attribute("enterkeyhint", key)
        page.keyboard.type(text)
        assert not sent()
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert len(sent()) == 1
    known_supabase.follow(email)
    socoto.press(page, "signup.signin")
    acting.arrive(page, "signin")
    page.get_by_test_id("signin.email").fill(email)
    page.get_by_test_id("signin.email").press("Enter")
    expect(page.get_by_test_id("signin.password")).to_be_focused()
    page.keyboard.type(socoto.LOOK)
    page.keyboard.press("Enter")
    acting.arrive(page, "profile")


def test_a_tap_beside_the_fields_takes_the_keyboard_away(page, foyer, known_supabase):
    socoto.stand(page, foyer, known_supabase, "forgot")
    field = page.get_by_test_id("forgot.email")
    expect(field).to_have_attribute("enterkeyhint", "send")
    field.click()
    expect(field).to_be_focused()
    page.get_by_role("heading", name="Reset Password").click()
    expect(field).not_to_be_focused()


def test_an_account_by_keyboard_alone(page, foyer, known_supabase):
    socoto.stand(page, foyer, known_supabase, "welcome")

    acting.tab_to(page, "welcome.signup")
    page.keyboard.press("Enter")
    acting.arrive(page, "signup")
    acting.tab_to(page, "signup.role.user")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    for name, text in [
        ("fullName", "Maya Okafor"),
        ("email", "keys@example.com"),
        ("password", socoto.LOOK),
        ("confirm", socoto.LOOK),
    ]:
        acting.tab_to(page, f"signup.{name}")
        page.keyboard.type(text)
    acting.tab_to(page, "signup.terms")
    page.keyboard.press("Space")
    # Return in a field sends the form.
    page.get_by_test_id("signup.confirm").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    [data] = [
        body["data"]
        for body in known_supabase.bodies_of("signup")
        if body["email"] == "keys@example.com"
    ]
    assert data["role"] == "business_owner"
    known_supabase.follow("keys@example.com")
    acting.tab_to(page, "signup.signin")
    page.keyboard.press("Enter")
    acting.arrive(page, "signin")
    acting.tab_to(page, "signin.email")
    page.keyboard.type("keys@example.com")
    acting.tab_to(page, "signin.password")
    page.keyboard.type(socoto.LOOK)
    page.keyboard.press("Enter")
    acting.arrive(page, "profile")
    acting.tab_to(page, "profile.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("profile.signOut.cancel")).to_be_focused()
    page.keyboard.press("Escape")
    acting.arrive(page, "profile")
