"""Workspaces: leased, entered, opened in another browser, and ended."""

import re
import urllib.error
import urllib.request

import acting
from playwright.sync_api import expect


def lease(foyer, **options):
    return foyer.api("POST", "/api/workspaces", options)


def test_a_leased_workspace_opens_in_a_browser(browsers, foyer, person):
    workspace = lease(foyer, label="handed over")
    page = browsers.device(foyer, key=False, storage_state=workspace["storageState"])
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.expect_screen(page, "verify")
    page.goto(foyer.base + "/mailbox")
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("handed over")
    expect(page.get_by_test_id("mailbox.row")).to_have_count(1)
    assert acting.device_of(page, foyer) == workspace["device"]
    # The workspace main does not contain it.
    assert foyer.api("GET", f"/api/mailbox?to={email}")["total"] == 0


def test_a_workspace_is_created_entered_and_left(browsers, foyer):
    page = browsers.device(foyer)
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    device_in_main = acting.device_of(page, foyer)
    page.goto(foyer.base + "/")
    page.get_by_test_id("nav.workspace").click()
    page.get_by_test_id("workspaces.label").fill("By hand")
    page.get_by_test_id("workspaces.create").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("By hand")
    acting.start(page, foyer)
    acting.expect_screen(page, "login")
    assert acting.device_of(page, foyer) != device_in_main

    page.goto(foyer.base + "/workspaces")
    main = page.get_by_test_id("workspaces.row").first
    main.get_by_test_id("workspaces.switch").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")
    # The browser still has its earlier device.
    assert acting.device_of(page, foyer) == device_in_main


def test_an_invalid_name_is_reported_beside_its_field(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/workspaces")
    field = page.get_by_test_id("workspaces.label")
    error = page.get_by_test_id("workspaces.error")
    browsers.expect_status(422, "/workspaces")
    for name, message in [("\u6f22" * 40, "max 80"), ("main", "reserved")]:
        field.fill(name)
        page.get_by_test_id("workspaces.create").click()
        expect(error).to_contain_text(message)
        expect(field).to_have_value(name)
        expect(field).to_have_attribute("aria-invalid", "true")


def test_a_reset_workspace_is_empty_and_remains(browsers, foyer, person):
    workspace = lease(foyer, label="refill", seed={"app": "mystica", "state": "signedIn"})
    page = browsers.device(foyer, key=False, storage_state=workspace["storageState"])
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("sessions.total")).to_contain_text("1 session")
    page.goto(foyer.base + "/workspaces")
    row = page.get_by_test_id("workspaces.row").filter(has_text="refill")
    row.get_by_test_id("workspaces.reset").click()
    expect(page.get_by_text("Reset refill?")).to_be_visible()
    with page.expect_navigation():
        page.get_by_test_id("confirm.yes").click()
    expect(row).to_be_visible()
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("empty")).to_be_visible()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("refill")


def test_ending_a_lease_returns_its_browser_to_main(browsers, foyer):
    workspace = lease(foyer, label="short")
    page = browsers.device(foyer, key=False, storage_state=workspace["storageState"])
    browsers.expect_status(404, "/api/events")
    page.goto(foyer.base + "/workspaces")
    row = page.get_by_test_id("workspaces.row").filter(has_text="short")
    row.get_by_test_id("workspaces.delete").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")


def test_an_open_page_reports_that_its_workspace_ended(browsers, foyer):
    # The event stream of an ended workspace is rejected, and so is a part that is being reloaded.
    browsers.expect_status(404, "/api/events|/studio/mystica")
    workspace = lease(foyer)
    page = browsers.device(foyer, storage_state=workspace["storageState"])
    page.goto(foyer.base + "/studio/mystica")
    acting.expect_screen(acting.phone(page), "login")
    foyer.api("DELETE", "/api/workspaces/" + workspace["id"])
    note = page.get_by_test_id("workspace-expired")
    expect(note).to_contain_text("Workspace expired")
    expect(page.get_by_test_id("live").first).to_have_text("Expired")
    note.get_by_role("link", name="Choose another workspace").click()
    expect(page).to_have_url(re.compile("/workspaces$"))


def test_a_page_of_an_ended_workspace_links_to_the_others(browsers, foyer):
    workspace = lease(foyer)
    page = browsers.device(foyer, key=False, storage_state=workspace["storageState"])
    foyer.api("DELETE", "/api/workspaces/" + workspace["id"])
    browsers.expect_status(404, "/sessions")
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("error.text")).to_contain_text("has expired")
    expect(page.get_by_test_id("error.title")).to_have_text("Workspace expired")
    page.get_by_test_id("error.fix").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("sessions.total")).to_be_visible()


def test_a_lease_survives_a_restart_and_still_ends(fresh_foyer):
    long = lease(fresh_foyer, ttl=3600)
    short = lease(fresh_foyer, ttl=1)
    assert fresh_foyer.stop() == 0
    fresh_foyer.start()
    ids = {w["id"] for w in fresh_foyer.api("GET", "/api/workspaces")["items"]}
    assert long["id"] in ids
    # The event stream ends with its workspace, unless the workspace is already gone.
    request = urllib.request.Request(
        fresh_foyer.base + "/api/events",
        headers={"Authorization": f"Bearer {fresh_foyer.key}", "X-Foyer-Workspace": short["id"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as stream:
            stream.read()
    except urllib.error.HTTPError as refused:
        assert refused.code == 404
    remaining = fresh_foyer.api("GET", "/api/workspaces")["items"]
    assert {w["id"] for w in remaining} == {"main", long["id"]}
