"""Socoto from sign-up to sign-out, against a Supabase project's stand-in."""

import json
import re

import acting
import socoto
from playwright.sync_api import expect
from socoto import confirming_project, project  # noqa: F401


def test_sign_up_relaunch_sign_out_and_sign_in(page, foyer, project, person):
    email, password = person()
    device = socoto.start_with_backend(page, foyer, project)
    socoto.to_signup(page)
    socoto.signup(page, email, password)
    # Without email confirmation, signing up also signs in.
    socoto.expect_signed_in(page, email)
    expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
    # The default role is user.
    assert [body["data"]["role"] for body in project.bodies_of("signup")] == ["user"]

    # A cold start restores the session: no form is shown.
    socoto.relaunch(page, foyer)
    socoto.expect_signed_in(page, email)

    socoto.signout(page)
    assert socoto.stored(foyer, device) == {}
    socoto.relaunch(page, foyer)
    acting.expect_screen(page, "welcome")

    socoto.to_signin(page)
    socoto.login(page, email, password)
    socoto.expect_signed_in(page, email)


def test_sign_up_confirm_sign_in_and_reset_without_scripts(
    browsers, foyer, confirming_project, person
):
    email, password = person()
    page = browsers.device(foyer, java_script_enabled=False)
    # Only a page with scripts can fetch its device id, so it is read from the API's list.
    page.goto(f"{foyer.base}/studio/socoto")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    socoto.use_backend(foyer, device, confirming_project)

    def launch():
        acting.relaunch_in_studio(page, foyer, socoto.APP)
        acting.expect_screen(page, "loading")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.expect_screen(page, "welcome")
    socoto.to_signup(page)
    # Without scripts only the server checks the terms.
    socoto.signup(page, email, password, role="business_owner", terms=False)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")
    socoto.signup(page, email, password, role="business_owner")
    # An unconfirmed user stays signed out, with a notice.
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert socoto.stored(foyer, device) == {}
    assert confirming_project.mails == [("signup", email)]

    socoto.press(page, "signup.signin")
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text("Sign in failed: Email not confirmed")
    confirming_project.open_link(email)
    socoto.login(page, email, password)
    socoto.expect_signed_in(page, email, role="Business Owner")

    launch()
    socoto.expect_signed_in(page, email, role="Business Owner")
    socoto.signout(page)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(page.get_by_test_id("forgot.notice")).to_have_text(socoto.SENT)
    socoto.press(page, "forgot.signin")
    acting.expect_screen(page, "signin")


def test_every_screen_links_onward_and_one_level_back(page, foyer, project):
    socoto.start_with_backend(page, foyer, project)
    for link, screen in [
        ("welcome.signup", "signup"),
        ("signup.close", "welcome"),
        ("welcome.signin", "signin"),
        ("signin.close", "welcome"),
        ("welcome.signin", "signin"),
        ("signin.forgot", "forgot"),
        ("forgot.signin", "signin"),
        ("signin.forgot", "forgot"),
        ("forgot.close", "signin"),
        ("signin.signup", "signup"),
        ("signup.signin", "signin"),
    ]:
        socoto.press(page, link)
        acting.expect_screen(page, screen)
    page.go_back()
    acting.expect_screen(page, "signup")


def test_signing_out_asks_for_confirmation_and_clears_the_storage(page, foyer, project, person):
    device, email, _ = socoto.sign_in_new_user(page, foyer, project, person)
    stored = socoto.stored(foyer, device)
    assert stored
    socoto.press(page, "profile.signOut")
    expect(page.get_by_test_id("profile.signOut.dialog")).to_contain_text(
        "Are you sure you want to sign out?"
    )
    socoto.press(page, "profile.signOut.cancel")
    socoto.expect_signed_in(page, email)
    assert socoto.stored(foyer, device).keys() == stored.keys()
    assert "signOut" not in socoto.calls(foyer, device)
    socoto.signout(page)
    assert project.sessions == {}
    assert socoto.stored(foyer, device) == {}
    # The previous page in the history is gone too.
    page.go_back()
    page.goto(f"{foyer.base}/apps/socoto/profile")
    acting.expect_screen(page, "welcome")
    expect(page.locator("body")).not_to_contain_text(email)


def test_no_token_reaches_the_page(page, foyer, project, person):
    lines = []
    page.on("console", lambda message: lines.append(message.text))
    socoto.sign_in_new_user(page, foyer, project, person)
    device = acting.device_of(page, foyer)
    values = [
        foyer.api("GET", f"{socoto.app_path(device)}/storage/{key}")["value"]
        for key in socoto.stored(foyer, device)
    ]
    [refresh] = project.sessions
    access = re.findall(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", " ".join(values))
    assert access and any(refresh in value for value in values)
    output = page.content() + json.dumps(lines)
    assert "profile" in output
    for token in [refresh, *access]:
        assert token not in output
