"""What a person sees of a backend that is slow, broken or hostile."""

import acting
import pytest
from playwright.sync_api import expect


def test_a_double_click_sends_one_request(page, foyer, person, standin):
    email, password = person()
    device = acting.pointed(page, foyer, standin)
    acting.fill(page, "login", email, password)
    resting = acting.press_twice(page, "login.submit", standin)
    assert (resting["busy"], resting["rests"], resting["spins"]) == ("true", True, True)
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
