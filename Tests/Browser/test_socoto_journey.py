"""Socoto from the first launch to the last, against a Supabase project's
stand-in."""

import json
import re

import acting
import socoto
from playwright.sync_api import expect
from socoto import confirming, project  # noqa: F401


def test_the_whole_journey(page, foyer, project, person):
    email, password = person()
    device = socoto.pointed(page, foyer, project)
    socoto.to_signup(page)
    socoto.signup(page, email, password)
    # Without mail confirmation signing up is signing in.
    socoto.signed_in(page, email)
    expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
    # Whoever chooses nothing is a user.
    assert [body["data"]["role"] for body in project.bodies_of("signup")] == ["user"]

    # A cold start finds the session: no form is shown.
    socoto.relaunch(page, foyer)
    socoto.signed_in(page, email)

    socoto.signout(page)
    assert socoto.stored(foyer, device) == {}
    socoto.relaunch(page, foyer)
    acting.arrive(page, "welcome")

    socoto.to_signin(page)
    socoto.login(page, email, password)
    socoto.signed_in(page, email)


def test_the_whole_journey_without_scripts(visitors, foyer, confirming, person):
    email, password = person()
    page = visitors.device(foyer, java_script_enabled=False)
    # The device's number is asked for by a page with scripts, so it is read
    # from the API's list instead.
    page.goto(f"{foyer.base}/studio/socoto")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    socoto.point(foyer, device, confirming)

    def launch():
        acting.relaunch_in_studio(page, foyer, socoto.APP)
        acting.arrive(page, "loading")
        page.get_by_role("button", name="Continue").click()

    launch()
    acting.arrive(page, "welcome")
    socoto.to_signup(page)
    # Nothing but the server asks for the terms here.
    socoto.signup(page, email, password, role="business_owner", terms=False)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")
    socoto.signup(page, email, password, role="business_owner")
    # Whoever has to confirm stays signed out, and is told why.
    expect(page.get_by_test_id("signup.notice")).to_have_text(socoto.CREATED)
    assert socoto.stored(foyer, device) == {}
    assert confirming.mails == [("signup", email)]

    socoto.press(page, "signup.signin")
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_have_text("Sign in failed: Email not confirmed")
    confirming.follow(email)
    socoto.login(page, email, password)
    socoto.signed_in(page, email, role="Business Owner")

    launch()
    socoto.signed_in(page, email, role="Business Owner")
    socoto.signout(page)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    expect(page.get_by_test_id("forgot.notice")).to_have_text(socoto.SENT)
    socoto.press(page, "forgot.signin")
    acting.arrive(page, "signin")


def test_every_screen_leads_on_and_one_level_back(page, foyer, project):
    socoto.pointed(page, foyer, project)
    for press, arrive in [
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
        socoto.press(page, press)
        acting.arrive(page, arrive)
    page.go_back()
    acting.arrive(page, "signup")


def test_signing_out_asks_first_and_leaves_nothing(page, foyer, project, person):
    device, email, _ = socoto.enter(page, foyer, project, person)
    held = socoto.stored(foyer, device)
    assert held
    socoto.press(page, "profile.signOut")
    expect(page.get_by_test_id("profile.signOut.dialog")).to_contain_text(
        "Are you sure you want to sign out?"
    )
    socoto.press(page, "profile.signOut.cancel")
    socoto.signed_in(page, email)
    assert socoto.stored(foyer, device).keys() == held.keys()
    assert "signOut" not in socoto.calls(foyer, device)
    socoto.signout(page)
    assert project.sessions == {}
    assert socoto.stored(foyer, device) == {}
    # What lies behind is gone too.
    page.go_back()
    page.goto(f"{foyer.base}/apps/socoto/profile")
    acting.arrive(page, "welcome")
    expect(page.locator("body")).not_to_contain_text(email)


def test_what_is_not_built_yet_says_so_and_does_nothing(page, foyer, project, person):
    device, _, _ = socoto.enter(page, foyer, project, person)
    before = socoto.calls(foyer, device)
    for name in ["edit", "feed", "discover", "create", "messages"]:
        part = page.get_by_test_id(f"profile.{name}")
        expect(part).to_have_attribute("aria-disabled", "true")
        expect(part).to_have_attribute("aria-description", "Not available")
        part.click(force=True)
        acting.arrive(page, "profile")
    socoto.signout(page)
    socoto.to_signin(page)
    for name, label in [("apple", "Continue with Apple"), ("google", "Continue with Google")]:
        part = page.get_by_test_id(f"signin.{name}")
        expect(part).to_have_accessible_name(label)
        expect(part).to_have_accessible_description("Not available")
        expect(part).to_have_attribute("aria-disabled", "true")
        part.click(force=True)
        acting.arrive(page, "signin")
    assert socoto.calls(foyer, device) == before + ["signOut"]


def test_no_token_reaches_the_page(page, foyer, project, person):
    lines = []
    page.on("console", lambda message: lines.append(message.text))
    socoto.enter(page, foyer, project, person)
    device = acting.device_of(page, foyer)
    kept = [
        foyer.api("GET", f"{socoto.place(device)}/storage/{key}")["value"]
        for key in socoto.stored(foyer, device)
    ]
    [refresh] = project.sessions
    access = re.findall(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", " ".join(kept))
    assert access and any(refresh in value for value in kept)
    told = page.content() + json.dumps(lines)
    assert "profile" in told
    for token in [refresh, *access]:
        assert token not in told
