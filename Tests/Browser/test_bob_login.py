"""Signing in to Bob the Builder and out again, against its real server."""

import json

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from playwright.sync_api import expect


def test_the_whole_journey(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.signed_in(page)
    assert bob.stored(foyer, device) == bob.TOKENS
    assert nest.seen[0]["agent"] == "iOS/1.0.0"
    assert nest.seen[0]["sent"] == {"email": email, "password": password}

    bob.relaunch(page, foyer, device)
    bob.signed_in(page)
    page.get_by_test_id("projects.tab.rfis").click()
    acting.arrive(page, "rfis")
    page.get_by_test_id("rfis.tab.settings").click()
    expect(page.get_by_test_id("settings.name")).to_have_text("John Doe")
    expect(page.get_by_test_id("settings.email")).to_have_text(email)
    page.get_by_test_id("settings.tab.projects").click()

    bob.sign_out(page)
    assert bob.stored(foyer, device) == set()
    assert nest.asked("logout")[0]["bearer"].startswith("Bearer ey")
    expect(page.get_by_test_id("login.email")).to_have_value("")
    bob.relaunch(page, foyer, device)
    acting.arrive(page, "login")


def test_the_whole_journey_without_scripts(visitors, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    page = visitors.device(foyer, java_script_enabled=False)
    bob.point(page, foyer, nest.base)
    bob.login(page, "test", "123")
    expect(page.get_by_test_id("login.email.error")).to_have_text(bob.MESSAGES["email"])
    bob.login(page, email, password + "-wrong")
    bob.alert(page, "Login Error", bob.MESSAGES[401])
    bob.login(page, email, password)
    bob.signed_in(page)
    bob.sign_out(page)


def test_a_wrong_password_is_told_in_an_alert(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    bob.login(page, email, password + "-wrong")
    bob.alert(page, "Login Error", bob.MESSAGES[401])
    # The login itself is asked once, and no refresh.
    assert [e["call"] for e in nest.seen] == ["login"]
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()


def test_five_wrong_passwords_are_enough(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    for _ in range(5):
        bob.login(page, email, password + "-wrong")
        bob.alert(page, "Login Error", bob.MESSAGES[401])
    bob.login(page, email, password)
    bob.alert(
        page, "Login Error", "Too many failed login attempts. Please try again in 15 minutes."
    )
    assert len(nest.seen) == 6


def test_a_list_of_messages_is_one_text(page, foyer, person, nest):
    email, password = person()
    bob.point(page, foyer, nest.base)
    nest.broken["login"] = (
        400,
        {"message": ["property x should not exist"], "error": "Bad Request", "statusCode": 400},
    )
    bob.login(page, email, password)
    bob.alert(page, "Login Error", bob.MESSAGES[400])
    nest.broken["login"] = (429, {"message": ["One is wrong", "Two is wrong"], "statusCode": 429})
    bob.login(page, email, password)
    bob.alert(page, "Login Error", "One is wrong\nTwo is wrong")
    # Nothing else the server says is for people.
    nest.broken["login"] = (418, {"message": ["teapot.c:7"]})
    bob.login(page, email, password)
    bob.alert(page, "Login Error", bob.MESSAGES["unknown"])


@pytest.mark.parametrize("answer", ["It works!", {"hello": "world"}])
def test_a_success_that_makes_no_sense_is_unexpected(page, foyer, person, nest, answer):
    email, password = person()
    bob.point(page, foyer, nest.base)
    nest.broken["login"] = (200, answer)
    bob.login(page, email, password)
    bob.alert(page, "Login Error", bob.MESSAGES["unknown"])


def test_while_signing_in_the_overlay_covers_the_form(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    device = bob.point(page, foyer, nest.base)
    bob.fill(page, email, password)
    expect(page.get_by_test_id("login.overlay")).to_be_hidden()
    nest.standin.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const part = n => document.querySelector(
                `[data-testid='login.${n}']`);
            console.log(JSON.stringify({
                busy: target.getAttribute('aria-busy'),
                rests: ['email', 'password', 'submit'].map(
                    n => part(n).matches(':disabled')),
                overlay: part('overlay').checkVisibility() &&
                    part('overlay').textContent.trim(),
            }));
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("login.submit").dblclick(no_wait_after=True)
    assert json.loads(told.value.text) == {
        "busy": "true",
        "rests": [True] * 3,
        "overlay": "Signing in...",
    }
    assert nest.standin.wait_for(1)
    nest.standin.release()
    bob.signed_in(page)
    assert len(acting.exchanges(foyer, device, "login")) == 1
    assert len(nest.seen) == 1


def test_signing_out_works_although_the_server_refuses(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.signed_in(page)
    nest.broken["logout"] = (403, {"message": "No", "statusCode": 403})
    bob.sign_out(page)
    assert bob.stored(foyer, device) == set()


def test_an_expired_token_is_refreshed_before_anything_is_shown(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    nest.life = 20  # Within the half minute in which the app refreshes.
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.signed_in(page)
    nest.life = 900
    bob.relaunch(page, foyer, device)
    bob.signed_in(page)
    sent = nest.asked("refresh")
    assert [list(e["sent"]) for e in sent] == [["refreshToken"]]
    bob.relaunch(page, foyer, device)
    bob.signed_in(page)
    assert len(nest.asked("refresh")) == 1


def test_a_token_used_twice_ends_the_session(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    nest.life = 20
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.signed_in(page)
    # Somebody else has used the refresh token meanwhile.
    token = next(iter(nest.families))
    nest._turn(nest.families[token])
    bob.relaunch(page, foyer, device)
    acting.arrive(page, "login")
    bob.alert(page, "Session Expired", "Your session has expired. Please sign in again.")
    assert bob.stored(foyer, device) == set()
    assert acting.exchanges(foyer, device, "refresh")[0]["status"] == 403


def test_the_documents_own_answers_are_understood(page, foyer, person, standin):
    """Nested and in snake_case, with an empty answer to the logout."""
    email, password = person()
    user = {
        "id": "u1",
        "email": email,
        "first_name": "Wendy",
        "last_name": "Hart",
        "role": "contractor",
        "created_at": "2025-11-01T10:00:00Z",
        "updated_at": "2025-11-09T15:30:00Z",
    }

    def document(method, path, body):
        if path == "/api/auth/login":
            return 200, {
                "user": user,
                "tokens": {
                    "access_token": "opaque-access-for-a-test",
                    "refresh_token": "opaque-refresh-for-a-test",
                    "expires_in": 3600,
                },
            }
        assert standin.here.headers["Authorization"] == "Bearer opaque-access-for-a-test"
        return 200, ""

    standin.script = document
    device = bob.point(page, foyer, standin.url.removesuffix("/v1"), "development")
    bob.login(page, email, password)
    bob.signed_in(page)
    page.get_by_test_id("projects.tab.settings").click()
    expect(page.get_by_test_id("settings.name")).to_have_text("Wendy Hart")
    expect(page.get_by_test_id("settings.role")).to_have_text("contractor")
    page.get_by_test_id("settings.tab.projects").click()
    bob.sign_out(page)
    assert bob.stored(foyer, device) == set()
    assert ("POST", "/api/auth/logout") in standin.calls


@pytest.mark.parametrize("backend", ["embedded", "nest"])
def test_the_embedded_server_speaks_both_dialects(page, foyer, person, backend):
    email, password = person()
    device = bob.point(page, foyer, None, backend)
    acting.arrive(page, "login")
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    for name, value in [
        ("firstName", "Wendy"),
        ("lastName", "Hart"),
        ("email", email),
        ("password", password),
        ("confirm", password),
    ]:
        page.get_by_test_id(f"register.{name}").fill(value)
    page.get_by_test_id("register.submit").click()
    bob.alert(page, "Account created", "Please sign in.")
    bob.login(page, email, password + "-wrong")
    bob.alert(page, "Login Error", bob.MESSAGES[401])
    bob.login(page, email, password)
    bob.signed_in(page)
    assert bob.stored(foyer, device) == bob.TOKENS
    session = foyer.api("GET", f"/api/sessions?app=bob&device={device}")
    mine = session["items"][0]["id"]
    foyer.api("POST", f"/api/sessions/{mine}/refresh")
    assert [e["status"] for e in acting.exchanges(foyer, device, "refresh")] == [200]
    bob.sign_out(page)
    assert acting.exchanges(foyer, device, "logout")[0]["status"] == 200
    assert bob.stored(foyer, device) == set()
