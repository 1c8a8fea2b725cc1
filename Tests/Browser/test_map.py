"""The screen map: counted transitions, and screens that a test run did not visit."""

import re

import acting
from conftest import save_picture
from playwright.sync_api import expect


def open_map(page, foyer, query="", app="mystica"):
    page.goto(f"{foyer.base}/storyboard/{app}/map{query}")
    return page


def make_run(foyer, chromium, name, *screens):
    """Makes a test run: leases its workspace and opens screens in it."""
    lease = foyer.api("POST", "/api/workspaces", {"run": name})
    context = chromium.new_context(storage_state=lease["storageState"])
    page = context.new_page()
    page.goto(f"{foyer.base}/apps/mystica/")
    acting.expect_screen(page, "login")
    for screen in screens:
        page.goto(f"{foyer.base}/apps/mystica/{screen}")
        acting.expect_screen(page, screen)
    context.close()


def test_a_transition_is_counted_when_it_happens(fresh_foyer, browsers):
    page = open_map(browsers.device(fresh_foyer), fresh_foyer)
    transition = page.get_by_test_id("map.transition.login.register")
    expect(transition).to_have_attribute("data-covered", "false")
    phone = page.context.new_page()
    phone.goto(f"{fresh_foyer.base}/apps/mystica/")
    acting.expect_screen(phone, "login")
    phone.goto(f"{fresh_foyer.base}/apps/mystica/register")
    acting.expect_screen(phone, "register")
    expect(transition).to_have_attribute("data-covered", "true")
    save_picture(page, "map")


def test_the_last_run_lists_unvisited_screens(fresh_foyer, browsers, chromium):
    make_run(fresh_foyer, chromium, "first", "register")
    make_run(fresh_foyer, chromium, "second")
    page = open_map(browsers.device(fresh_foyer), fresh_foyer)
    page.get_by_test_id("map.scope.last").click()
    page.wait_for_url("**/map?run=last")
    unvisited = page.get_by_test_id("map.uncovered")
    expect(unvisited).to_contain_text("Not covered by second")
    expect(page.get_by_test_id("map.uncovered.register")).to_be_visible()
    expect(page.get_by_test_id("map.uncovered.login")).to_have_count(0)
    expect(
        page.locator(".map-wide .map-node.map-missed text").filter(
            has_text=re.compile("^register$")
        )
    ).to_be_visible()
    # An earlier run made the transition once, so it has a total.
    row = page.get_by_test_id("map.transition.login.register")
    expect(row.locator("td").nth(2)).to_have_text("Not covered")
    expect(row.locator("td").nth(3)).to_have_text("1")
    save_picture(page, "map-missed")
    page.get_by_test_id("map.runs").click()
    page.get_by_test_id("map.run.1").click()
    expect(page.get_by_test_id("map.scope")).to_contain_text("first")
    expect(page.get_by_test_id("map.uncovered.register")).to_have_count(0)


def test_an_unvisited_screen_links_to_its_states(fresh_foyer, browsers, chromium):
    make_run(fresh_foyer, chromium, "short")
    page = open_map(browsers.device(fresh_foyer), fresh_foyer, "?run=last")
    page.get_by_test_id("map.uncovered.register").click()
    page.wait_for_url("**/storyboard/mystica?screen=register")
    page.go_back()
    expect(page.get_by_test_id("map.uncovered")).to_be_visible()


def test_the_map_works_without_scripts(fresh_foyer, browsers, chromium):
    make_run(fresh_foyer, chromium, "plain")
    page = browsers.device(fresh_foyer, java_script_enabled=False)
    open_map(page, fresh_foyer)
    page.get_by_test_id("map.scope.last").click()
    expect(page.get_by_test_id("map.summary")).to_contain_text("screens")
    page.get_by_test_id("map.apps").click()
    page.get_by_test_id("map.apps.bob").click()
    page.wait_for_url("**/storyboard/bob/map?run=last")


def test_without_a_run_the_page_explains_how_to_make_one(fresh_foyer, browsers):
    page = open_map(browsers.device(fresh_foyer), fresh_foyer, "?run=last")
    expect(page.get_by_test_id("empty")).to_contain_text("No test run yet")
