"""CLARITY Pulse's registration: what it asks, and three calls in a row."""

import acting
import pulse
import pytest
from firebase import said
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401

MARKED = "Zq7xGeheim"


def opened(page, foyer, firebase):
    device = pulse.pointed(page, foyer, firebase.server)
    acting.arrive(page, "login")
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    return device


@pytest.mark.parametrize(
    "change,words",
    [
        ({"first": ""}, "All fields are required."),
        ({"last": ""}, "All fields are required."),
        ({"email": ""}, "All fields are required."),
        ({"password": "", "confirm": ""}, "All fields are required."),
        ({"confirm": MARKED + "-other"}, "Passwords do not match."),
        ({"email": "invalid-email"}, "Please enter a valid email address."),
        ({"password": MARKED[:7]}, "Password must be at least 8 characters long."),
        ({"password": MARKED.upper() + "1"}, "Password must contain at least one lowercase letter"),
        ({"password": MARKED.lower() + "1"}, "Password must contain at least one uppercase letter"),
        ({"password": MARKED.replace("7", "x")}, "Password must contain at least one number"),
        ({"terms": False}, "You must accept the Terms of Service and Privacy Policy."),
        ({"privacy": False}, "You must accept the Terms of Service and Privacy Policy."),
        # The first rule that is broken is the only one told.
        ({"first": "", "confirm": "x", "email": "y", "terms": False}, "All fields are required."),
        ({"confirm": "x", "email": "y", "terms": False}, "Passwords do not match."),
        ({"email": "y", "terms": False}, "Please enter a valid email address."),
    ],
)
def test_a_broken_rule_is_told_in_order_and_nothing_is_sent(
    page, foyer, firebase, person, change, words
):
    email, password = person()
    device = opened(page, foyer, firebase)
    given = {"email": email, "password": password, **change}
    pulse.fill_register(page, **given)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text(words)
    assert acting.exchanges(foyer, device) == []
    # Everything typed is still there.
    expect(page.get_by_test_id("register.email")).to_have_value(given["email"])


def test_strength_and_mismatch_are_told_while_typing(page, foyer, firebase, person):
    email, password = person()
    opened(page, foyer, firebase)
    field = page.get_by_test_id("register.password")
    said_of = page.get_by_test_id("register.password.error")
    field.press_sequentially("abc")
    expect(said_of).to_have_text("Password must contain at least one uppercase letter")
    field.fill("ABC")
    expect(said_of).to_have_text("Password must contain at least one lowercase letter")
    field.fill("Abc")
    expect(said_of).to_have_text("Password must contain at least one number")
    field.fill(password)
    expect(said_of).to_have_count(0)
    again = page.get_by_test_id("register.confirm")
    again.press_sequentially("x")
    expect(page.get_by_test_id("register.confirm.error")).to_have_text("Passwords do not match")
    # Nothing to compare with is no mismatch.
    field.fill("")
    expect(page.get_by_test_id("register.confirm.error")).to_have_count(0)
    field.fill(password)
    again.fill(password)
    expect(page.locator(".field-error")).to_have_count(0)


def test_three_calls_leave_in_order_with_names_and_toggles(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == ["createUser", "registerProfile", "sendVerification"]
    assert firebase.profiles[email] == {
        "email": email,
        "password": password,
        "first_name": "Avery",
        "last_name": "Quinn",
        "terms_accepted": True,
        "privacy_policy_accepted": True,
    }
    [mail] = firebase.bodies_of("sendOobCode")
    assert mail["requestType"] == "VERIFY_EMAIL" and mail["idToken"]


def test_a_failed_middle_is_taken_up_where_it_stopped(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text(
        "We couldn't finish creating your account. Please try again."
    )
    assert email in firebase.people and firebase.mails == []
    # The passwords stand there still: one press is enough.
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == ["createUser", "registerProfile", "registerProfile", "sendVerification"]


def test_a_name_corrected_before_the_next_try_is_the_one_kept(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    firebase.fail("sendOobCode", said("QUOTA_EXCEEDED : Exceeded quota"))
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_be_visible()
    assert firebase.profiles[email]["first_name"] == "Avery"
    page.get_by_test_id("register.firstName").fill("Ivory")
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    assert firebase.profiles[email]["first_name"] == "Ivory"
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == [
        "createUser",
        "registerProfile",
        "sendVerification",
        "registerProfile",
        "sendVerification",
    ]


def test_another_password_before_the_next_try_is_the_one_that_counts(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_be_visible()
    other = password + "-other"
    for name in ["password", "confirm"]:
        page.get_by_test_id(f"register.{name}").fill(other)
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == [
        "createUser",
        "registerProfile",
        "changePassword",
        "registerProfile",
        "sendVerification",
    ]
    assert firebase.people[email]["password"] == other
    pulse.login(page, email, other)
    acting.arrive(page, "verify")


def test_another_address_after_a_failed_middle_is_another_account(page, foyer, firebase, person):
    email, password = person()
    other, _ = person()
    opened(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (500, {"detail": "boom"}))
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_be_visible()
    page.get_by_test_id("register.email").fill(other)
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    assert len(firebase.bodies_of("signUp")) == 2


def test_a_network_lost_in_the_middle_is_taken_up_too(page, foyer, firebase, person):
    email, password = person()
    device = opened(page, foyer, firebase)
    firebase.fail("/api/v1/auth/register", (200, "no json at all"))
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_be_visible()
    page.get_by_test_id("register.submit").click()
    pulse.answer_alert(page)
    assert len(acting.exchanges(foyer, device, "createUser")) == 1


@pytest.mark.parametrize(
    "answer,words",
    [
        (
            said("EMAIL_EXISTS"),
            "This email address is already registered. Please try signing in instead.",
        ),
        (
            said("WEAK_PASSWORD : Password should be at least 6 characters"),
            "Please choose a stronger password with at least 8 characters, "
            "including uppercase, lowercase, and numbers.",
        ),
        (said("INVALID_EMAIL"), "Please enter a valid email address."),
        (
            said("TOO_MANY_ATTEMPTS_TRY_LATER : Try again later."),
            "Too many attempts. Please try again later.",
        ),
        (
            said("API key not valid. Please pass a valid API key.", reason="keyInvalid"),
            "App configuration error. Please restart the app or contact support.",
        ),
        (
            said("OPERATION_NOT_ALLOWED"),
            "App configuration error. Please restart the app or contact support.",
        ),
    ],
)
def test_firebases_codes_are_told_in_words(page, foyer, firebase, person, answer, words):
    email, password = person()
    opened(page, foyer, firebase)
    firebase.fail("signUp", answer)
    pulse.fill_register(page, email, password)
    page.get_by_test_id("register.submit").click()
    expect(pulse.failure(page, "register")).to_have_text(words)


@pytest.mark.parametrize(
    "name,page_of",
    [("terms", "https://clarity.health/terms"), ("privacy", "https://clarity.health/privacy")],
)
def test_a_toggles_words_lead_to_what_is_accepted(page, foyer, firebase, name, page_of):
    opened(page, foyer, firebase)
    link = page.get_by_test_id(f"register.{name}.link")
    expect(link).to_have_attribute("href", page_of)
    page.context.route(page_of, lambda route: route.fulfill(body="terms"))
    with page.context.expect_page() as tab:
        link.click()
    tab.value.wait_for_url(page_of)
    tab.value.close()
    # The link is no switch, the rest of the label is.
    expect(page.get_by_test_id(f"register.{name}")).not_to_be_checked()
    page.get_by_test_id(f"register.{name}").check()
    expect(page.get_by_test_id(f"register.{name}")).to_be_checked()


def test_the_way_to_the_login_is_at_the_top_and_at_the_end(page, foyer, firebase):
    opened(page, foyer, firebase)
    for name in ["register.back", "register.login"]:
        page.get_by_test_id(name).click()
        acting.arrive(page, "login")
        page.get_by_test_id("login.register").click()
        acting.arrive(page, "register")


def test_while_it_registers_the_whole_form_rests(page, foyer, firebase, person):
    email, password = person()
    opened(page, foyer, firebase)
    pulse.fill_register(page, email, password)
    expect(page.get_by_test_id("register.password.reveal")).to_be_visible()
    firebase.server.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const part = n => document.querySelector(
                `[data-testid='register.${n}']`);
            console.log(['email', 'terms', 'submit'].map(
                n => part(n).matches(':disabled')).join(' ') + ' ' +
                part('submit').querySelector('.spinner').checkVisibility());
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("register.submit").click(no_wait_after=True)
    assert told.value.text == "true true true true"
    firebase.server.release()
    pulse.answer_alert(page)
