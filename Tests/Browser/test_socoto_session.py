"""Socoto's sign-in, reset and relaunch, and what goes wrong."""

import acting
import pytest
import socoto
from playwright.sync_api import expect
from socoto import confirming, project  # noqa: F401
from supabase_project import KEY, Refused

NO_NETWORK = "The Internet connection appears to be offline."


def at_signin(page, foyer, project, **more):
    device = socoto.pointed(page, foyer, project, **more)
    socoto.to_signin(page)
    return device


def token_of(foyer, device):
    """The access token this device keeps."""
    for name in socoto.stored(foyer, device):
        value = foyer.api("GET", f"{socoto.place(device)}/storage/{name}")["value"]
        if value.count(".") == 2:
            return value
    raise AssertionError("no access token is stored")


# ---- Signing in


@pytest.mark.parametrize("old", [False, True])
def test_an_unknown_address_is_told_what_a_wrong_password_is(page, foyer, project, person, old):
    email, password = person()
    stranger, _ = person()
    project.old = old
    project.add(email, password)
    device = at_signin(page, foyer, project)
    for who in [email, stranger]:
        socoto.login(page, who, password + "-wrong")
        said = socoto.error(page, "signin")
        expect(said).to_have_text(socoto.WRONG)
        expect(said).to_have_attribute("role", "alert")
        expect(page.get_by_test_id("signin.email")).to_have_value(who)
    assert socoto.stored(foyer, device) == {}


@pytest.mark.parametrize(
    "answer,words",
    [
        (Refused(400, "email_not_confirmed", "Email not confirmed"), "Email not confirmed"),
        (Refused(400, "user_banned", "User is banned"), "User is banned"),
        (
            Refused(429, "over_request_rate_limit", "Request rate limit reached"),
            "Request rate limit reached",
        ),
        (
            (400, {"error": "invalid_grant", "error_description": "Invalid login credentials"}),
            "Invalid login credentials",
        ),
        ((401, {"message": "Invalid API key"}), "Invalid API key"),
        ((503, "Service Unavailable"), "Server error 503"),
        ((200, "It works!"), "The data couldn’t be read because it isn’t in the correct format."),
        (
            (200, {"access_token": "x"}),
            "The data couldn’t be read because it isn’t in the correct format.",
        ),
    ],
)
def test_whatever_the_server_says_is_told_and_the_form_can_be_used(
    page, foyer, project, person, answer, words
):
    email, password = person()
    project.fail("password", answer)
    device = at_signin(page, foyer, project)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text(f"Sign in failed: {words}")
    assert socoto.stored(foyer, device) == {}
    expect(page.get_by_test_id("signin.submit")).to_be_enabled()
    project.add(email, password)
    socoto.login(page, email, password)
    socoto.signed_in(page, email)


@pytest.mark.parametrize(
    "email,password,words",
    [
        ("", "", "Please enter your email"),
        ("", "x", "Please enter your email"),
        ("a@example.com", "", "Please enter your password"),
        ("invalid-email", "", "Please enter your password"),
        ("invalid-email", "x", socoto.INVALID),
    ],
)
def test_a_broken_rule_sends_nothing(page, foyer, project, email, password, words):
    device = at_signin(page, foyer, project)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text(words)
    assert socoto.calls(foyer, device) == []


def test_a_message_goes_when_a_key_is_pressed_or_the_screen_is_left(page, foyer, project, person):
    email, password = person()
    at_signin(page, foyer, project)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_be_visible()
    page.get_by_test_id("signin.password").press_sequentially("y")
    expect(socoto.error(page, "signin")).to_have_count(0)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_be_visible()
    socoto.press(page, "signin.close")
    acting.arrive(page, "welcome")
    socoto.to_signin(page)
    expect(socoto.error(page, "signin")).to_have_count(0)


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    device = at_signin(page, foyer, project)
    acting.fill(page, "signin", email, password)
    expect(page.get_by_test_id("signin.password.reveal")).to_be_visible()
    project.server.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const button = target.querySelector('.button-primary');
            console.log([target.getAttribute('aria-busy'), button.disabled,
                button.querySelector('.spinner').checkVisibility()]
                .join(' '));
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("signin.submit").dblclick(no_wait_after=True)
    assert told.value.text == "true true true"
    project.server.release()
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signIn", "profile"]


def test_the_calls_carry_key_version_and_bearer(page, foyer, project, person):
    device, email, password = socoto.enter(page, foyer, project, person)
    [(body, headers)] = project.heard_of("password")
    assert body == {"email": email, "password": password}
    assert headers["apikey"] == KEY
    assert headers["X-Supabase-Api-Version"] == "2024-01-01"
    who = project.people[email]["id"]
    [(_, headers)] = project.heard_of("profiles")
    assert headers["apikey"] == KEY
    assert headers["Accept"] == "application/vnd.pgrst.object+json"
    assert headers["Authorization"] == "Bearer " + token_of(foyer, device)
    method, path = project.server.calls[-1]
    assert (method, path.replace("%2A", "*")) == ("GET", f"/rest/v1/profiles?select=*&id=eq.{who}")


def test_what_lies_on_the_device_is_the_keychains(page, foyer, project, person):
    device, _, _ = socoto.enter(page, foyer, project, person)
    held = socoto.stored(foyer, device)
    assert held and {i["area"] for i in held.values()} == {"keychain"}
    assert all(name.startswith("sb-") for name in held)
    assert "sb-project-auth-token" in held


def test_a_server_nobody_reaches_is_no_wrong_password(page, foyer, project, person):
    email, password = person()
    device = at_signin(page, foyer, project)
    project.server.stop()
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text(f"Sign in failed: {NO_NETWORK}")
    socoto.press(page, "signin.forgot")
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(f"Password reset failed: {NO_NETWORK}")
    socoto.press(page, "forgot.signin")
    socoto.press(page, "signin.signup")
    socoto.signup(page, email, password)
    expect(socoto.error(page, "signup")).to_have_text(f"Sign up failed: {NO_NETWORK}")
    assert socoto.stored(foyer, device) == {}


def test_without_a_key_every_form_says_what_is_not_configured(page, foyer, project, person):
    email, password = person()
    device = at_signin(page, foyer, project, key=None)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text(f"Sign in failed: {socoto.UNCONFIGURED}")
    socoto.press(page, "signin.forgot")
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(
        f"Password reset failed: {socoto.UNCONFIGURED}"
    )
    socoto.press(page, "forgot.signin")
    socoto.press(page, "signin.signup")
    socoto.signup(page, email, password)
    expect(socoto.error(page, "signup")).to_have_text(f"Sign up failed: {socoto.UNCONFIGURED}")
    assert socoto.calls(foyer, device) == []
    assert project.heard == []


def test_the_command_lines_local_stack_asks_for_no_key(page, foyer, person):
    email, password = person()
    local = socoto.listening(local=True)
    device = socoto.pointed(page, foyer, local, key=None, backend="local")
    socoto.to_signup(page)
    socoto.signup(page, email, password)
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
    local.server.stop()


# ---- Resetting


def test_a_reset_is_asked_for_and_said(page, foyer, project, person):
    email, password = person()
    stranger, _ = person()
    project.add(email, password)
    device = socoto.pointed(page, foyer, project)
    socoto.to_forgot(page)
    for who in [email, stranger]:
        page.get_by_test_id("forgot.email").fill(who)
        page.keyboard.press("Enter")
        notice = page.get_by_test_id("forgot.notice")
        expect(notice).to_have_text(socoto.SENT)
        expect(notice).to_have_attribute("role", "status")
        # The form has made room for the way back.
        expect(page.get_by_test_id("forgot.submit")).to_have_count(0)
        expect(page.get_by_test_id("forgot.signin")).to_have_text("Back to Sign In")
        socoto.press(page, "forgot.signin")
        acting.arrive(page, "signin")
        socoto.press(page, "signin.forgot")
        expect(page.get_by_test_id("forgot.submit")).to_be_visible()
    assert project.bodies_of("recover") == [{"email": email}, {"email": stranger}]
    assert project.mails == [("recovery", email)]
    assert socoto.calls(foyer, device) == ["recover", "recover"]


@pytest.mark.parametrize(
    "email,words", [("", "Please enter your email"), ("invalid-email", socoto.INVALID)]
)
def test_a_reset_without_an_address_asks_for_one(page, foyer, project, email, words):
    device = socoto.pointed(page, foyer, project)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(words)
    assert socoto.calls(foyer, device) == []


def test_a_refused_reset_is_told_and_can_be_asked_again(page, foyer, project, person):
    email, _ = person()
    project.fail(
        "recover",
        Refused(
            429,
            "over_email_send_rate_limit",
            "For security purposes, you can only request this after 42 seconds.",
        ),
    )
    socoto.pointed(page, foyer, project)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(
        "Password reset failed: For security purposes, you can only request this after 42 seconds."
    )
    socoto.press(page, "forgot.submit")
    expect(page.get_by_test_id("forgot.notice")).to_have_text(socoto.SENT)


# ---- The profile, and coming back


@pytest.mark.parametrize("by", ["sign-in", "sign-up"])
@pytest.mark.parametrize("missing", ["row", "hidden", "broken"])
def test_a_profile_that_is_not_there_is_told_and_breaks_nothing(
    page, foyer, project, person, missing, by
):
    email, password = person()
    project.profiles.trigger = missing != "row"
    project.profiles.hidden = missing == "hidden"
    if missing == "broken":
        project.fail("profiles", (500, "It is late."), 50)
    device = socoto.pointed(page, foyer, project)
    if by == "sign-in":
        project.add(email, password)
        socoto.to_signin(page)
        socoto.login(page, email, password)
    else:
        socoto.to_signup(page)
        socoto.signup(page, email, password)
    acting.arrive(page, "profile")
    expect(page.get_by_test_id("profile.unavailable")).to_have_text("Profile unavailable")
    # Who it is is known from the session; the role is not guessed.
    expect(page.get_by_test_id("profile.email")).to_have_text(email)
    expect(socoto.badge(page)).to_have_count(0)
    if missing != "broken":
        shown = acting.exchanges(foyer, device, "profile")
        assert {e["status"] for e in shown} == {406}
    # Once there is one, it is shown.
    project.profiles.trigger, project.profiles.hidden = True, False
    project.troubles.clear()
    project.profiles.made(project.people[email])
    page.reload()
    socoto.signed_in(page, email)


@pytest.mark.parametrize("role,badge", [("user", "User"), ("business_owner", "Business Owner")])
def test_a_database_with_user_type_and_no_address_does_as_well(page, foyer, person, role, badge):
    email, password = person()
    script = socoto.listening(schema="user_type")
    script.add(email, password, role=role)
    socoto.pointed(page, foyer, script)
    socoto.to_signin(page)
    socoto.login(page, email, password)
    socoto.signed_in(page, email, role=badge)
    socoto.relaunch(page, foyer)
    socoto.signed_in(page, email, role=badge)
    script.server.stop()


def test_without_a_session_the_welcome_comes_and_nothing_is_sent(page, foyer, project):
    device = socoto.pointed(page, foyer, project)
    for screen in ["profile", "loading"]:
        page.goto(f"{foyer.base}/apps/socoto/{screen}")
        acting.arrive(page, "welcome")
    socoto.relaunch(page, foyer)
    acting.arrive(page, "welcome")
    assert socoto.calls(foyer, device) == []


def test_an_expired_token_is_refreshed_without_a_word(page, foyer, project, person):
    device, email, _ = socoto.enter(page, foyer, project, person)
    old = token_of(foyer, device)
    project.dead.add(old)
    socoto.relaunch(page, foyer)
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device)[-3:] == ["profile", "refresh", "profile"]
    [body] = project.bodies_of("refresh_token")
    assert body["refresh_token"] in project.sessions
    assert token_of(foyer, device) != old
    # The new one serves from here on.
    socoto.relaunch(page, foyer)
    socoto.signed_in(page, email)
    assert len(project.bodies_of("refresh_token")) == 1


def test_a_refused_refresh_leads_to_the_welcome_and_leaves_nothing(page, foyer, project, person):
    device, _, _ = socoto.enter(page, foyer, project, person)
    project.dead.add(token_of(foyer, device))
    project.sessions.clear()
    socoto.relaunch(page, foyer)
    acting.arrive(page, "welcome")
    assert socoto.stored(foyer, device) == {}
    assert socoto.calls(foyer, device)[-1] == "refresh"


def test_offline_the_session_is_kept(page, foyer, project, person):
    device, email, _ = socoto.enter(page, foyer, project, person)
    held = socoto.stored(foyer, device).keys()
    # Nobody listens there.
    foyer.api("PATCH", socoto.place(device), {"backend": "project", "base": "http://127.0.0.1:9"})
    socoto.relaunch(page, foyer)
    acting.arrive(page, "profile")
    expect(page.get_by_test_id("profile.email")).to_have_text(email)
    expect(page.get_by_test_id("profile.unavailable")).to_be_visible()
    assert socoto.stored(foyer, device).keys() == held
    socoto.point(foyer, device, project)
    page.reload()
    socoto.signed_in(page, email)


def test_signing_out_succeeds_whatever_the_server_says(page, foyer, project, person):
    device, _, _ = socoto.enter(page, foyer, project, person)
    project.fail("logout", (500, "It is late."))
    socoto.signout(page)
    assert socoto.stored(foyer, device) == {}
    socoto.relaunch(page, foyer)
    acting.arrive(page, "welcome")
