"""What Mystica shows when its backend is slow, broken or hostile."""

import acting
import pytest
from playwright.sync_api import expect


def test_a_double_click_sends_one_request(page, foyer, person, standin):
    email, password = person()
    device = acting.start_with_backend(page, foyer, standin)
    acting.fill(page, "login", email, password)
    pending = acting.press_twice(page, "login.submit", standin)
    assert (pending["busy"], pending["disabled"], pending["spinning"]) == ("true", True, True)
    expect(page.get_by_test_id("login.error")).to_have_text("The servers are resting")
    assert len(standin.calls) == 1
    assert len(acting.exchanges(foyer, device, "login")) == 1


def test_markup_from_a_backend_is_shown_as_text(page, foyer, person, standin):
    markup = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    standin.script = lambda *_: (500, {"error": {"code": markup, "message": markup}})
    page.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    email, password = person()
    acting.start_with_backend(page, foyer, standin)
    acting.login(page, email, password)
    # Not a sentence for a user: the app has its own.
    expect(page.get_by_test_id("login.error")).to_have_text(
        "Something went wrong on the server. Please try again."
    )
    page.goto(foyer.base + "/studio/mystica")
    expect(page.get_by_test_id("exchanges.row").first).to_be_visible()
    page.goto(foyer.base + "/traffic")
    page.get_by_test_id("traffic.row").first.get_by_role("link").first.click()
    expect(page.get_by_test_id("exchange.response.body")).to_contain_text("onerror=alert(1)")
    assert page.locator("img[src=x]").count() == 0


def test_a_launch_without_a_server_keeps_the_tokens_and_offers_a_retry(
    browsers, foyer, person, standin
):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    acting.use_backend(foyer, device, standin.url)
    standin.stop()
    acting.relaunch(page, foyer)
    expect(page.get_by_test_id("splash.error")).to_be_visible()
    keys = {i["key"] for i in foyer.api("GET", app_path)["storage"]}
    assert "mystica_access_token" in keys
    foyer.api("PATCH", app_path, {"backend": "embedded"})
    page.get_by_test_id("splash.retry").click()
    acting.expect_signed_in(page, email)
