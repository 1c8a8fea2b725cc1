"""Socoto's registration: two roles, ordered rules, and what GoTrue says."""

import acting
import pytest
import socoto
from foyer import MARK
from playwright.sync_api import expect
from socoto import confirming, project  # noqa: F401
from supabase_project import Refused

MISMATCH = "Passwords do not match"


def opened(page, foyer, project):
    device = socoto.pointed(page, foyer, project)
    socoto.to_signup(page)
    return device


def forced(page):
    """Sends the form past its button, as no finger can."""
    page.evaluate("""document.querySelector("[data-testid='signup.submit']")
        .form.submit()""")


@pytest.mark.parametrize(
    "change,words",
    [
        ({"confirm": MARK + "-other"}, MISMATCH),
        ({"email": ""}, "Please enter your email"),
        ({"name": ""}, "Please enter your full name"),
        ({"password": "", "confirm": ""}, "Please enter a password"),
        ({"email": "invalid-email"}, socoto.INVALID),
        ({"password": MARK[:7], "confirm": MARK[:7]}, "Password must be at least 8 characters"),
        # The first rule that is broken is the only one told.
        ({"confirm": "x", "email": "", "name": ""}, MISMATCH),
        ({"email": "", "name": ""}, "Please enter your email"),
        ({"name": "", "password": "", "confirm": ""}, "Please enter your full name"),
        ({"email": "y", "password": "short", "confirm": "short"}, socoto.INVALID),
    ],
)
def test_a_broken_rule_is_told_in_order_and_nothing_is_sent(
    page, foyer, project, person, change, words
):
    email, password = person()
    device = opened(page, foyer, project)
    given = {"email": email, "password": password, **change}
    socoto.fill_signup(page, **given)
    if change.get("confirm") in (None, given["password"]):
        socoto.press(page, "signup.submit")
    else:
        forced(page)
    expect(socoto.error(page, "signup")).to_have_text(words)
    assert socoto.calls(foyer, device) == []
    # What was typed is still there, the terms still accepted.
    expect(page.get_by_test_id("signup.email")).to_have_value(given["email"])
    expect(page.get_by_test_id("signup.terms")).to_be_checked()


def test_a_mismatch_is_told_while_typing(page, foyer, project):
    opened(page, foyer, project)
    first = page.get_by_test_id("signup.password")
    again = page.get_by_test_id("signup.confirm")
    said = page.get_by_test_id("signup.confirm.error")
    first.fill(MARK + "-one")
    expect(said).to_have_count(0)
    again.press_sequentially("x")
    expect(said).to_have_text(MISMATCH)
    expect(again).to_have_attribute("aria-invalid", "true")
    again.fill(MARK + "-one")
    expect(said).to_have_count(0)
    # The other field can break it as well, and mend it.
    first.fill(MARK + "-two")
    expect(said).to_have_text(MISMATCH)
    again.fill(MARK + "-two")
    expect(page.locator(".field-error")).to_have_count(0)


def test_the_button_waits_for_the_terms(page, foyer, project, person):
    email, password = person()
    device = opened(page, foyer, project)
    socoto.fill_signup(page, email, password, terms=False)
    button = page.get_by_test_id("signup.submit")
    expect(button).to_be_disabled()
    expect(button).to_have_css("opacity", "0.5")
    terms = page.get_by_role("checkbox", name="I agree to the Terms of Service and Privacy Policy")
    terms.focus()
    page.keyboard.press("Space")
    expect(terms).to_be_checked()
    expect(button).to_be_enabled()
    page.keyboard.press("Space")
    expect(button).to_be_disabled()
    # Who sends it all the same is told by the server.
    forced(page)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")
    assert socoto.calls(foyer, device) == []


def test_without_scripts_the_server_asks_for_the_terms(visitors, foyer, project, person):
    email, password = person()
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/apps/socoto/signup")
    if page.locator("body[data-screen='loading']").count():
        page.get_by_role("button", name="Continue").click()
        page.goto(f"{foyer.base}/apps/socoto/signup")
    socoto.signup(page, email, password, terms=False)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")


def test_a_role_is_one_of_two_and_first_it_is_user(page, foyer, project):
    opened(page, foyer, project)
    group = page.get_by_role("group", name="I am a...")
    cards = group.get_by_role("radio")
    expect(cards).to_have_count(2)
    expect(page.get_by_test_id("signup.role.user")).to_be_checked()
    socoto.card(page, "business_owner").click()
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    expect(page.get_by_test_id("signup.role.user")).not_to_be_checked()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("signup.role.user")).to_be_checked()
    expect(socoto.card(page, "user")).to_contain_text("Discover and book local businesses")
    expect(socoto.card(page, "business_owner")).to_contain_text(
        "Manage your business profile and bookings"
    )


@pytest.mark.parametrize("role", [None, "business_owner"])
def test_name_and_role_go_with_the_account(page, foyer, project, person, role):
    email, password = person()
    device = opened(page, foyer, project)
    socoto.signup(page, email, password, role=role)
    role = role or "user"
    socoto.signed_in(page, email, role="User" if role == "user" else "Business Owner")
    [(body, headers)] = project.heard_of("signup")
    assert body == {
        "email": email,
        "password": password,
        "data": {"full_name": "Maya Okafor", "role": role, "user_type": role},
    }
    assert headers["X-Supabase-Api-Version"] == "2024-01-01"
    assert headers["Content-Type"].startswith("application/json")
    assert socoto.calls(foyer, device) == ["signUp", "profile"]


def test_who_must_confirm_stays_signed_out_and_is_told(page, foyer, confirming, person):
    email, password = person()
    device = opened(page, foyer, confirming)
    socoto.signup(page, email, password)
    notice = page.get_by_test_id("signup.notice")
    expect(notice).to_have_text(socoto.CREATED)
    expect(notice).to_have_attribute("role", "status")
    assert socoto.calls(foyer, device) == ["signUp"]
    assert socoto.stored(foyer, device) == {}
    # The message is the sign-up's: the next screen does not repeat it.
    socoto.press(page, "signup.signin")
    acting.arrive(page, "signin")
    expect(page.get_by_text(socoto.CREATED)).to_have_count(0)
    confirming.follow(email)
    socoto.login(page, email, password)
    socoto.signed_in(page, email)


def test_a_taken_address_is_not_told_where_addresses_are_confirmed(page, foyer, confirming, person):
    email, password = person()
    confirming.add(email, password)
    device = opened(page, foyer, confirming)
    socoto.signup(page, email, password + "-other")
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert confirming.mails == []
    assert socoto.stored(foyer, device) == {}


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize(
    "refused",
    [
        Refused(422, "user_already_exists", "User already registered"),
        Refused(
            422,
            "weak_password",
            "Password should be at least 10 characters.",
            weak_password={"reasons": ["length"]},
        ),
        Refused(422, "signup_disabled", "Signups not allowed for this instance"),
        Refused(429, "over_email_send_rate_limit", "email rate limit exceeded"),
        Refused(
            429,
            "over_email_send_rate_limit",
            "For security purposes, you can only request this after 51 seconds.",
        ),
        Refused(400, "validation_failed", "Unable to validate email address: invalid format"),
    ],
)
def test_what_gotrue_says_is_told_in_either_dialect(page, foyer, project, person, refused, old):
    email, password = person()
    project.old = old
    project.fail("signup", refused)
    device = opened(page, foyer, project)
    socoto.signup(page, email, password, role="business_owner")
    expect(socoto.error(page, "signup")).to_have_text(f"Sign up failed: {refused.message}")
    assert socoto.stored(foyer, device) == {}
    # The form can be sent again, the role and the terms as they were.
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    expect(page.get_by_test_id("signup.submit")).to_be_enabled()


def test_a_taken_address_is_told_where_nobody_confirms(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    opened(page, foyer, project)
    socoto.signup(page, email, password)
    expect(socoto.error(page, "signup")).to_have_text("Sign up failed: User already registered")


@pytest.mark.parametrize(
    "email,valid",
    [
        ("a@b.co", True),
        ("first.last+tag@sub.example.com", True),
        ("a_b%c-d@example.museum", True),
        ("plain", False),
        ("a@b", False),
        ("a@b.c", False),
        ("@b.co", False),
        ("a b@c.de", False),
        ("a@b.c0", False),
        ("a@b.co extra", False),
    ],
)
def test_addresses_are_judged_by_the_documents_pattern(page, foyer, project, email, valid):
    device = opened(page, foyer, project)
    socoto.signup(page, email, MARK + "-pattern")
    if valid:
        socoto.signed_in(page, email)
    else:
        expect(socoto.error(page, "signup")).to_have_text(socoto.INVALID)
        assert socoto.calls(foyer, device) == []


@pytest.mark.parametrize("name", ["password", "confirm"])
def test_a_password_is_masked_until_its_eye_is_pressed(page, foyer, project, name):
    opened(page, foyer, project)
    field = page.get_by_test_id(f"signup.{name}")
    field.fill(MARK + "-eye")
    expect(field).to_have_attribute("type", "password")
    eye = page.get_by_test_id(f"signup.{name}.reveal")
    eye.click()
    expect(field).to_have_attribute("type", "text")
    expect(eye).to_have_accessible_name("Hide password")
    eye.click()
    expect(field).to_have_attribute("type", "password")


def test_while_it_signs_up_the_whole_form_rests(page, foyer, project, person):
    email, password = person()
    device = opened(page, foyer, project)
    socoto.fill_signup(page, email, password)
    expect(page.get_by_test_id("signup.password.reveal")).to_be_visible()
    project.server.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const part = n => document.querySelector(
                `[data-testid='signup.${n}']`);
            console.log(['email', 'role.user', 'terms', 'submit'].map(
                n => part(n).matches(':disabled')).join(' ') + ' ' +
                part('submit').querySelector('.spinner').checkVisibility());
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("signup.submit").dblclick(no_wait_after=True)
    assert told.value.text == "true true true true true"
    project.server.release()
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
