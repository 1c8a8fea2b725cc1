"""Several workers at once, each in its own workspace, isolated from the others."""

from acting import expect_screen
from playwright.sync_api import expect


def test_an_expired_token_is_refreshed_silently(lease, open_page):
    workspace = lease(seed={"app": "mystica", "state": "signedIn", "accessTokenTTL": 60})
    page = open_page(workspace)
    page.goto("/apps/mystica/")
    expect_screen(page, "map")
    workspace.advance_clock(61)
    workspace.api("POST", f"/api/devices/{workspace.device}/apps/mystica/relaunch")
    page.goto("/apps/mystica/")
    expect_screen(page, "map")
    expect(page.get_by_test_id("map.email")).to_have_text(workspace.user["email"])
    session = workspace.api("GET", f"/api/sessions/{workspace.session}")
    assert (session["state"], session["refreshCount"]) == ("active", 1)
    assert len(workspace.exchanges("refresh")) == 1
    assert workspace.is_isolated()


def test_two_concurrent_tabs_send_one_refresh(lease, open_page):
    workspace = lease(seed={"app": "mystica", "state": "expired"})
    first = open_page(workspace)
    second = first.context.new_page()
    first.goto("/apps/mystica/map", wait_until="commit")
    second.goto("/apps/mystica/map", wait_until="commit")
    expect_screen(first, "map")
    expect_screen(second, "map")
    expect(first.get_by_test_id("map.email")).to_have_text(workspace.user["email"])
    assert len(workspace.exchanges("refresh")) == 1
    session = workspace.api("GET", f"/api/sessions/{workspace.session}")
    assert session["state"] == "active"
    assert workspace.is_isolated()


def test_a_mailed_code_signs_in(lease, open_page):
    address = "the-same@example.com"  # The same in every workspace.
    workspace = lease(seed={"app": "wall", "state": "verified", "user": {"email": address}})
    page = open_page(workspace)
    page.goto("/apps/wall/")
    expect_screen(page, "landing")
    page.get_by_test_id("landing.login").click()
    expect_screen(page, "login")
    page.get_by_test_id("login.email").fill(address)
    page.get_by_test_id("login.getCode").click()
    page.get_by_test_id("login.code").fill(workspace.code(address))
    page.get_by_test_id("login.submit").click()
    expect_screen(page, "wall")
    mails = workspace.api("GET", "/api/mailbox")
    assert [mail["to"] for mail in mails["items"]] == [address]
    assert workspace.is_isolated()
