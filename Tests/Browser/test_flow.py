"""The flow map: what was really seen, and what a test run did not visit."""

import re

import acting
from conftest import shot
from playwright.sync_api import expect


def flow(page, foyer, query="", app="mystica"):
    page.goto(f"{foyer.base}/storyboard/{app}/flow{query}")
    return page


def run(foyer, chromium, name, *screens):
    """A test of a run: its workspace, and the screens it opens."""
    lease = foyer.api("POST", "/api/workspaces", {"run": name})
    context = chromium.new_context(storage_state=lease["storageState"])
    page = context.new_page()
    page.goto(f"{foyer.base}/apps/mystica/")
    acting.arrive(page, "login")
    for screen in screens:
        page.goto(f"{foyer.base}/apps/mystica/{screen}")
        acting.arrive(page, screen)
    context.close()


def test_a_way_is_counted_the_moment_it_is_taken(fresh_foyer, visitors):
    page = flow(visitors.device(fresh_foyer), fresh_foyer)
    way = page.get_by_test_id("flow.way.login.register")
    expect(way).to_have_attribute("data-seen", "false")
    phone = page.context.new_page()
    phone.goto(f"{fresh_foyer.base}/apps/mystica/")
    acting.arrive(phone, "login")
    phone.goto(f"{fresh_foyer.base}/apps/mystica/register")
    acting.arrive(phone, "register")
    expect(way).to_have_attribute("data-seen", "true")
    shot(page, "flow")


def test_the_last_run_tells_what_it_did_not_visit(fresh_foyer, visitors, chromium):
    run(fresh_foyer, chromium, "first", "register")
    run(fresh_foyer, chromium, "second")
    page = flow(visitors.device(fresh_foyer), fresh_foyer)
    page.get_by_test_id("flow.seen.last").click()
    page.wait_for_url("**/flow?seen=last")
    unseen = page.get_by_test_id("flow.unseen")
    expect(unseen).to_contain_text("Not visited by second")
    expect(page.get_by_test_id("flow.unseen.register")).to_be_visible()
    expect(page.get_by_test_id("flow.unseen.login")).to_have_count(0)
    expect(
        page.locator(".map-wide .map-node.map-missed text").filter(
            has_text=re.compile("^register$")
        )
    ).to_be_visible()
    # Somebody was there once, so it is known how often.
    row = page.get_by_test_id("flow.way.login.register")
    expect(row.locator("td").nth(2)).to_have_text("not visited")
    expect(row.locator("td").nth(3)).to_have_text("1")
    shot(page, "flow-missed")
    page.get_by_test_id("flow.runs").click()
    page.get_by_test_id("flow.run.1").click()
    expect(page.get_by_test_id("flow.scope")).to_contain_text("first")
    expect(page.get_by_test_id("flow.unseen.register")).to_have_count(0)


def test_what_was_not_visited_leads_to_its_screens(fresh_foyer, visitors, chromium):
    run(fresh_foyer, chromium, "short")
    page = flow(visitors.device(fresh_foyer), fresh_foyer, "?seen=last")
    page.get_by_test_id("flow.unseen.register").click()
    page.wait_for_url("**/storyboard/mystica?screen=register")
    page.go_back()
    expect(page.get_by_test_id("flow.unseen")).to_be_visible()


def test_the_map_works_without_a_script(fresh_foyer, visitors, chromium):
    run(fresh_foyer, chromium, "plain")
    page = visitors.device(fresh_foyer, java_script_enabled=False)
    flow(page, fresh_foyer)
    page.get_by_test_id("flow.seen.last").click()
    expect(page.get_by_test_id("flow.sum")).to_contain_text("screens")
    page.get_by_test_id("flow.apps").click()
    page.get_by_test_id("flow.apps.bob").click()
    page.wait_for_url("**/storyboard/bob/flow?seen=last")


def test_without_a_run_the_page_says_how_to_make_one(fresh_foyer, visitors):
    page = flow(visitors.device(fresh_foyer), fresh_foyer, "?seen=last")
    expect(page.get_by_test_id("empty")).to_contain_text("No test run yet")
