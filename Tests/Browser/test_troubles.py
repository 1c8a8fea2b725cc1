"""What a person sees of a backend that is slow, broken or hostile."""

import json

import acting
import pytest
from playwright.sync_api import expect
from standin import willing


def test_a_failing_resend_says_the_same(page, foyer, person, standin):
    standin.script = willing
    email, password = person()
    acting.pointed(page, foyer, standin)
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    assert ("POST", "/api/v1/auth/resend-verification") in standin.calls


def test_a_double_click_sends_one_request(page, foyer, person, standin):
    email, password = person()
    device = acting.pointed(page, foyer, standin)
    acting.fill(page, "login", email, password)
    # The script is there once the eye is.
    expect(page.get_by_test_id("login.password.reveal")).to_be_visible()
    standin.hold()
    # The page itself tells how it rests: while its next one is awaited,
    # nothing can be asked of it from outside.
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const part = n => document.querySelector(
                `[data-testid='login.${n}']`);
            console.log(JSON.stringify({
                busy: target.getAttribute('aria-busy'),
                rests: ['email', 'password', 'submit'].map(
                    n => part(n).matches(':disabled')),
                spinner: part('submit').querySelector('.spinner')
                    .checkVisibility({visibilityProperty: true}),
            }));
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("login.submit").dblclick(no_wait_after=True)
    assert json.loads(told.value.text) == {
        "busy": "true",
        "rests": [True, True, True],
        "spinner": True,
    }
    assert standin.wait_for(1)
    standin.release()
    expect(page.get_by_test_id("login.error")).to_be_visible()
    assert len(standin.calls) == 1
    assert len(acting.exchanges(foyer, device, "login")) == 1


def test_the_servers_own_words_are_shown(page, foyer, person, standin):
    email, password = person()
    acting.pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text("The servers are resting")


def test_a_backends_markup_is_text(page, foyer, person, standin):
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    standin.script = lambda *_: (500, {"error": {"code": evil, "message": evil}})
    page.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    email, password = person()
    acting.pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(evil)
    page.goto(foyer.base + "/studio/mystica")
    expect(page.get_by_test_id("exchanges.row").first).to_be_visible()
    page.goto(foyer.base + "/traffic")
    page.get_by_test_id("traffic.row").first.get_by_role("link").first.click()
    expect(page.get_by_test_id("exchange.answer.body")).to_contain_text("onerror=alert(1)")
    assert page.locator("img[src=x]").count() == 0


def test_an_answer_that_is_no_json_is_told(page, foyer, person, standin):
    standin.script = lambda *_: (200, "It works!")
    email, password = person()
    acting.pointed(page, foyer, standin)
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Invalid response from server. Please try again."
    )


def test_a_dead_server_is_no_wrong_password(page, foyer, person, standin):
    email, password = person()
    acting.pointed(page, foyer, standin)
    standin.stop()
    acting.login(page, email, password)
    expect(page.get_by_test_id("login.error")).to_have_text(
        "No internet connection. Please check your network and try again."
    )


def test_a_launch_without_a_server_keeps_the_tokens_and_offers_a_retry(
    visitors, foyer, person, standin
):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    acting.speak_to(foyer, device, standin.url)
    standin.stop()
    acting.relaunch(page, foyer)
    expect(page.get_by_test_id("splash.error")).to_be_visible()
    keys = {i["key"] for i in foyer.api("GET", place)["storage"]}
    assert "mystica_access_token" in keys
    foyer.api("PATCH", place, {"backend": "embedded"})
    page.get_by_test_id("splash.retry").click()
    acting.signed_in(page, email)


def test_a_logout_the_server_refuses_is_a_logout(page, foyer, person, standin):
    standin.script = willing
    email, password = person()
    device = acting.pointed(page, foyer, standin)
    acting.login(page, email, password)
    acting.signed_in(page, email)
    acting.logout(page)
    assert ("POST", "/api/v1/auth/logout") in standin.calls
    state = foyer.api("GET", f"/api/devices/{device}/apps/mystica")
    assert [i for i in state["storage"] if i["key"].startswith("mystica_")] == []


def test_a_long_registration_rests_and_ends_after_thirty_seconds(page, foyer, person, standin):
    email, password = person()
    device = acting.pointed(page, foyer, standin)
    acting.arrive(page, "login")
    page.get_by_test_id("login.tab.register").click()
    acting.fill(page, "register", email, password)
    expect(page.get_by_test_id("register.password.reveal")).to_be_visible()
    standin.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => console.log(target.getAttribute('aria-busy')),
                   20_000), {once: true})""")
    with page.expect_console_message(timeout=30_000) as told:
        page.get_by_test_id("register.submit").click(no_wait_after=True)
    assert told.value.text == "true"
    expect(page.get_by_test_id("register.error")).to_have_text(
        "The request timed out. Please try again.", timeout=30_000
    )
    expect(page.get_by_test_id("register.email")).to_have_value(email)
    [call] = acting.exchanges(foyer, device, "register")
    assert call["status"] is None and call["failure"]
