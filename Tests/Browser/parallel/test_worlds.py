"""Several workers at once, each in its own workspace, isolated from the others."""

import re

import pytest
from playwright.sync_api import expect


def expect_screen(page, name):
    expect(page).to_have_url(re.compile(rf"/apps/[a-z]+/{name}$"))


def is_isolated(workspace):
    """Whether the API shows nothing of other workspaces."""
    devices = {device["id"] for device in workspace.devices.all()}
    items = [*workspace.exchanges.all(), *workspace.sessions.all()]
    return devices == {workspace.device} and all(i["device"] == workspace.device for i in items)


@pytest.mark.foyer_seed(app="mystica", state="signedIn", accessTokenTTL=60)
def test_an_expired_token_is_refreshed_silently(foyer_workspace, foyer_page):
    workspace, page = foyer_workspace, foyer_page
    page.goto("/apps/mystica/")
    expect_screen(page, "map")
    workspace.clock.advance(61)
    workspace.app("mystica").relaunch()
    page.goto("/apps/mystica/")
    expect_screen(page, "map")
    expect(page.get_by_test_id("map.email")).to_have_text(workspace.user["email"])
    session = workspace.sessions.get(workspace.session)
    assert (session["state"], session["refreshCount"]) == ("active", 1)
    assert len(workspace.exchanges.all(call="refresh")) == 1
    assert is_isolated(workspace)


@pytest.mark.foyer_seed(app="mystica", state="expired")
def test_two_concurrent_tabs_send_one_refresh(foyer_workspace, foyer_page):
    workspace, first = foyer_workspace, foyer_page
    second = first.context.new_page()
    first.goto("/apps/mystica/map", wait_until="commit")
    second.goto("/apps/mystica/map", wait_until="commit")
    expect_screen(first, "map")
    expect_screen(second, "map")
    expect(first.get_by_test_id("map.email")).to_have_text(workspace.user["email"])
    assert len(workspace.exchanges.all(call="refresh")) == 1
    assert workspace.sessions.get(workspace.session)["state"] == "active"
    assert is_isolated(workspace)


ADDRESS = "the-same@example.com"  # The same in every workspace.


@pytest.mark.foyer_seed(app="wall", state="verified", user={"email": ADDRESS})
def test_a_mailed_code_signs_in(foyer_workspace, foyer_page):
    workspace, page = foyer_workspace, foyer_page
    page.goto("/apps/wall/")
    expect_screen(page, "landing")
    page.get_by_test_id("landing.login").click()
    expect_screen(page, "login")
    page.get_by_test_id("login.email").fill(ADDRESS)
    page.get_by_test_id("login.getCode").click()
    page.get_by_test_id("login.code").fill(workspace.mailbox.wait(ADDRESS, timeout=60)["code"])
    page.get_by_test_id("login.submit").click()
    expect_screen(page, "wall")
    assert [mail["to"] for mail in workspace.mailbox.all()] == [ADDRESS]
    assert is_isolated(workspace)
