"""What Socoto's calls carry, as its own client sends them."""

import acting
import socoto
from playwright.sync_api import expect
from socoto import project  # noqa: F401
from supabase_project import KEY

ANON = {"signup", "password", "recover", "refresh_token"}
SIGNED_IN = {"logout", "profiles"}


def test_every_call_carries_key_bearer_and_version(page, foyer, project, person):
    email, password = person()
    socoto.pointed(page, foyer, project)
    socoto.to_signup(page)
    socoto.signup(page, email, password)
    socoto.signed_in(page, email)
    socoto.signout(page)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill(email)
    socoto.press(page, "forgot.submit")
    socoto.press(page, "forgot.signin")
    socoto.login(page, email, password)
    socoto.signed_in(page, email)
    _, last = project.heard_of("profiles")[-1]
    project.dead.add(last["Authorization"].removeprefix("Bearer "))
    socoto.relaunch(page, foyer)
    socoto.signed_in(page, email)
    heard = {name for name, _, _ in project.heard}
    assert heard == ANON | SIGNED_IN
    for name, _, headers in project.heard:
        assert headers["apikey"] == KEY, name
        assert headers["X-Supabase-Api-Version"] == "2024-01-01", name
        bearer = headers["Authorization"].removeprefix("Bearer ")
        assert (bearer == KEY) == (name in ANON), name


def test_a_refusal_in_one_word_is_told(page, foyer, project, person):
    email, password = person()
    socoto.pointed(page, foyer, project)
    socoto.to_signin(page)
    project.fail("password", (400, {"error": "invalid_grant"}))
    socoto.login(page, email, password)
    acting.arrive(page, "signin")
    expect(socoto.error(page, "signin")).to_have_text("Sign in failed: invalid_grant")
