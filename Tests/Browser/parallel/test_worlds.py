"""Sixteen workers at once, each in its own world, and none sees another's."""

from acting import arrive
from playwright.sync_api import expect


def test_a_token_that_ends_is_refreshed_without_a_word(lease, enter):
    world = lease(seed={"app": "mystica", "state": "signedIn", "accessTokenTTL": 60})
    page = enter(world)
    page.goto("/apps/mystica/")
    arrive(page, "map")
    world.pass_time(61)
    world.api("POST", f"/api/devices/{world.device}/apps/mystica/relaunch")
    page.goto("/apps/mystica/")
    arrive(page, "map")
    expect(page.get_by_test_id("map.email")).to_have_text(world.user["email"])
    session = world.api("GET", f"/api/sessions/{world.session}")
    assert (session["state"], session["refreshCount"]) == ("active", 1)
    assert len(world.exchanges("refresh")) == 1
    assert world.is_alone()


def test_two_tabs_that_refresh_at_once_refresh_once(lease, enter):
    world = lease(seed={"app": "mystica", "state": "expired"})
    first = enter(world)
    second = first.context.new_page()
    first.goto("/apps/mystica/map", wait_until="commit")
    second.goto("/apps/mystica/map", wait_until="commit")
    arrive(first, "map")
    arrive(second, "map")
    expect(first.get_by_test_id("map.email")).to_have_text(world.user["email"])
    assert len(world.exchanges("refresh")) == 1
    session = world.api("GET", f"/api/sessions/{world.session}")
    assert session["state"] == "active"
    assert world.is_alone()


def test_a_mailed_code_signs_in(lease, enter):
    address = "the-same@example.com"  # In every world at once.
    world = lease(seed={"app": "wall", "state": "verified", "user": {"email": address}})
    page = enter(world)
    page.goto("/apps/wall/")
    arrive(page, "landing")
    page.get_by_test_id("landing.login").click()
    arrive(page, "login")
    page.get_by_test_id("login.email").fill(address)
    page.get_by_test_id("login.getCode").click()
    page.get_by_test_id("login.code").fill(world.code(address))
    page.get_by_test_id("login.submit").click()
    arrive(page, "wall")
    mails = world.api("GET", "/api/mailbox")
    assert [mail["to"] for mail in mails["items"]] == [address]
    assert world.is_alone()
