"""Socoto's colors, contrast and shapes, its layout, and its use without a mouse."""

import acting
import contrast
import pytest
import socoto
from conftest import save_picture
from playwright.sync_api import expect
from socoto import project_with_accounts  # noqa: F401  (a fixture)


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
        "edit-failure",
    ],
)
def test_all_text_has_sufficient_contrast(browsers, foyer, project_with_accounts, name):
    page = browsers.device(foyer, reduced_motion="reduce", viewport={"width": 390, "height": 1150})
    socoto.open_state(page, foyer, project_with_accounts, name)
    acting.wait_for_styles(page)
    page.evaluate("document.activeElement?.blur()")
    for width in [320, 390, 1024]:
        acting.resize(page, width, 1150)
        acting.finish_animations(page)
        assert contrast.low_contrast_lines(page) == [], width


@pytest.mark.parametrize("moment", [0, 2500, 5000])
def test_the_animated_welcome_always_has_sufficient_contrast(
    browsers, foyer, project_with_accounts, moment
):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    socoto.open_state(page, foyer, project_with_accounts, "welcome")
    animations = page.evaluate(
        """moment => {
        const all = document.getAnimations().filter(
            a => a.effect.getComputedTiming().iterations === Infinity);
        for (const one of all) { one.pause(); one.currentTime = moment; }
        return all.map(a => [a.animationName, a.effect.getTiming().duration,
            a.effect.getTiming().direction].join(' '));
    }""",
        moment,
    )
    assert animations == ["drift 5000 alternate"]
    acting.wait_for_frame(page)
    assert contrast.low_contrast_lines(page) == []


def without_blur(page):
    """Makes the browser behave as one without `backdrop-filter`."""

    def fulfill(route):
        response = route.fetch()
        route.fulfill(
            response=response,
            body=response.text()
            .replace("@supports (backdrop-filter", "@supports (no-such-filter")
            .replace("backdrop-filter:", "no-such-filter:"),
        )

    page.route("**/apps/socoto/*.css", fulfill)


def test_cards_are_blurred_or_opaque_without_backdrop_filter(
    browsers, foyer, project_with_accounts
):
    filters = {}
    for can_blur in [True, False]:
        page = browsers.device(
            foyer, reduced_motion="reduce", viewport={"width": 390, "height": 1150}
        )
        if not can_blur:
            without_blur(page)
        socoto.open_state(page, foyer, project_with_accounts, "signup")
        part = page.locator(".card").nth(1)
        filters[can_blur] = part.evaluate("e => getComputedStyle(e).backdropFilter")
        if not can_blur:
            expect(part).to_have_css("background-color", "rgba(40, 30, 70, 0.72)")
            save_picture(page, "socoto-signup-opaque-390")
            assert contrast.low_contrast_lines(page) == []
    assert filters[True].startswith("blur(20px) saturate(1.8)")
    assert filters[False] == "none"


def test_colors_and_shapes_match_the_style_sheet(page, foyer, project_with_accounts):
    page.set_viewport_size({"width": 390, "height": 844})
    socoto.open_state(page, foyer, project_with_accounts, "signin")
    for scheme in ["light", "dark"]:
        # Socoto has only a dark appearance.
        page.emulate_media(color_scheme=scheme)
        gradient = page.evaluate("getComputedStyle(document.body, '::before').backgroundImage")
        for stop in ["rgb(74, 144, 226)", "rgb(155, 89, 182) 50%", "rgb(26, 188, 156)", "155.2deg"]:
            assert stop in gradient
    title = page.get_by_role("heading", name="Welcome Back")
    expect(title).to_have_css("font-weight", "800")
    assert 34 <= float(title.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) <= 57
    # An error has the design document's red.
    socoto.login(page, "user@example.com", "wrong")
    expect(page.get_by_test_id("signin.error")).to_have_css("color", "rgb(231, 76, 60)")
    submit = page.get_by_test_id("signin.submit")
    expect(submit).to_have_css("min-height", "56px")
    expect(submit).to_have_css("border-radius", "12px")
    expect(page.get_by_test_id("signin.email")).to_have_css("height", "50px")
    form = page.locator("form").first
    page.set_viewport_size({"width": 1280, "height": 900})
    acting.wait_for_styles(page)
    box = form.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_reduced_motion_stops_the_animations(browsers, foyer, project_with_accounts):
    animations = {}
    for motion in ["no-preference", "reduce"]:
        page = browsers.device(foyer, reduced_motion=motion)
        socoto.open_state(page, foyer, project_with_accounts, "welcome")
        drift = page.locator(".drift").evaluate("e => getComputedStyle(e, '::after').animationName")
        socoto.to_signup(page)
        card = socoto.card(page, "business_owner")
        card.click()
        transition = card.evaluate("e => getComputedStyle(e).transitionProperty")
        animations[motion] = (drift, "scale" in transition)
        expect(card).to_have_css("scale", "1.02")
    assert animations == {"no-preference": ("drift", True), "reduce": ("none", False)}


def test_a_pressed_button_shrinks(browsers, foyer, project_with_accounts):
    page = browsers.device(foyer, reduced_motion="no-preference")
    socoto.open_state(page, foyer, project_with_accounts, "welcome")
    acting.wait_for_styles(page)
    box = page.get_by_test_id("welcome.signin").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    expect(page.get_by_test_id("welcome.signin")).to_have_css("scale", "0.98")
    page.mouse.move(2, 2)
    page.mouse.up()


def test_return_moves_to_the_next_field_and_submits_in_the_last(page, foyer, project_with_accounts):
    socoto.open_state(page, foyer, project_with_accounts, "signup")
    email = "return@example.com"

    def sent():
        return [
            body for body in project_with_accounts.bodies_of("signup") if body["email"] == email
        ]

    page.get_by_test_id("signup.terms").check()
    page.get_by_test_id("signup.fullName").focus()
    for name, text, key in [
        ("fullName", "Maya Okafor", "next"),
        ("email", email, "next"),
        ("password", socoto.PASSWORD, "next"),
        ("confirm", socoto.PASSWORD, "go"),
    ]:
        field = page.get_by_test_id(f"signup.{name}")
        expect(field).to_be_focused()
        expect(field).to_have_attribute("enterkeyhint", key)
        page.keyboard.type(text)
        assert not sent()
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert len(sent()) == 1
    project_with_accounts.open_link(email)
    socoto.press(page, "signup.signin")
    acting.expect_screen(page, "signin")
    page.get_by_test_id("signin.email").fill(email)
    page.get_by_test_id("signin.email").press("Enter")
    expect(page.get_by_test_id("signin.password")).to_be_focused()
    page.keyboard.type(socoto.PASSWORD)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "profile")


def test_a_tap_outside_the_fields_removes_the_focus(page, foyer, project_with_accounts):
    socoto.open_state(page, foyer, project_with_accounts, "forgot")
    field = page.get_by_test_id("forgot.email")
    expect(field).to_have_attribute("enterkeyhint", "send")
    field.click()
    expect(field).to_be_focused()
    page.get_by_role("heading", name="Reset Password").click()
    expect(field).not_to_be_focused()


def test_sign_up_and_sign_in_by_keyboard(page, foyer, project_with_accounts):
    socoto.open_state(page, foyer, project_with_accounts, "welcome")

    acting.tab_to(page, "welcome.signup")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "signup")
    acting.tab_to(page, "signup.role.user")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    for name, text in [
        ("fullName", "Maya Okafor"),
        ("email", "keys@example.com"),
        ("password", socoto.PASSWORD),
        ("confirm", socoto.PASSWORD),
    ]:
        acting.tab_to(page, f"signup.{name}")
        page.keyboard.type(text)
    acting.tab_to(page, "signup.terms")
    page.keyboard.press("Space")
    # Return in a field submits the form.
    page.get_by_test_id("signup.confirm").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    [data] = [
        body["data"]
        for body in project_with_accounts.bodies_of("signup")
        if body["email"] == "keys@example.com"
    ]
    assert data["role"] == "business_owner"
    project_with_accounts.open_link("keys@example.com")
    acting.tab_to(page, "signup.signin")
    page.keyboard.press("Enter")
    acting.expect_screen(page, "signin")
    acting.tab_to(page, "signin.email")
    page.keyboard.type("keys@example.com")
    acting.tab_to(page, "signin.password")
    page.keyboard.type(socoto.PASSWORD)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "profile")
    acting.tab_to(page, "profile.signOut")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("profile.signOut.cancel")).to_be_focused()
    page.keyboard.press("Escape")
    acting.expect_screen(page, "profile")
