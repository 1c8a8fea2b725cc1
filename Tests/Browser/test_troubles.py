"""What a person sees of a backend that is slow, broken or hostile."""

import json

import acting
import pytest
from playwright.sync_api import expect


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
    expect(page.get_by_test_id("login.error")).to_have_text("The servers are resting")
    assert len(standin.calls) == 1
    assert len(acting.exchanges(foyer, device, "login")) == 1


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
