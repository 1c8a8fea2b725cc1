"""A world of one's own: leased, entered, handed over, gone."""

import re
import urllib.error
import urllib.request

import acting
from playwright.sync_api import expect


def lease(foyer, **wish):
    return foyer.api("POST", "/api/workspaces", wish)


def test_a_leased_world_is_handed_to_a_browser(visitors, foyer, person):
    world = lease(foyer, label="handed over")
    page = visitors.device(foyer, key=False, storage_state=world["storageState"])
    email, password = person()
    acting.start(page, foyer)
    acting.register(page, email, password)
    acting.arrive(page, "verify")
    page.goto(foyer.base + "/mailbox")
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("handed over")
    expect(page.get_by_test_id("mailbox.row")).to_have_count(1)
    assert acting.device_of(page, foyer) == world["device"]
    # Nobody in main has heard of it.
    assert foyer.api("GET", f"/api/mailbox?to={email}")["total"] == 0


def test_a_person_makes_one_enters_it_and_comes_back(visitors, foyer):
    page = visitors.device(foyer)
    acting.start(page, foyer)
    acting.arrive(page, "login")
    at_home = acting.device_of(page, foyer)
    page.goto(foyer.base + "/")
    page.get_by_test_id("nav.workspace").click()
    page.get_by_test_id("workspaces.label").fill("By hand")
    page.get_by_test_id("workspaces.make").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("By hand")
    acting.start(page, foyer)
    acting.arrive(page, "login")
    assert acting.device_of(page, foyer) != at_home

    page.goto(foyer.base + "/workspaces")
    main = page.get_by_test_id("workspaces.row").first
    main.get_by_test_id("workspaces.enter").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")
    # The device of before is still this browser's.
    assert acting.device_of(page, foyer) == at_home


def test_a_name_that_cannot_be_is_told_beside_its_field(visitors, foyer):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/workspaces")
    field = page.get_by_test_id("workspaces.label")
    error = page.get_by_test_id("workspaces.error")
    visitors.refused(422, "/workspaces")
    for name, words in [("\u6f22" * 40, "80 bytes"), ("main", "begins in")]:
        field.fill(name)
        page.get_by_test_id("workspaces.make").click()
        expect(error).to_contain_text(words)
        expect(field).to_have_value(name)
        expect(field).to_have_attribute("aria-invalid", "true")


def test_a_world_is_emptied_and_stays(visitors, foyer, person):
    world = lease(foyer, label="refill", seed={"app": "mystica", "state": "signedIn"})
    page = visitors.device(foyer, key=False, storage_state=world["storageState"])
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("sessions.total")).to_contain_text("1 kept")
    page.goto(foyer.base + "/workspaces")
    row = page.get_by_test_id("workspaces.row").filter(has_text="refill")
    row.get_by_test_id("workspaces.reset").click()
    expect(page.get_by_text("Empty refill?")).to_be_visible()
    with page.expect_navigation():
        page.get_by_test_id("confirm.yes").click()
    expect(row).to_be_visible()
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("empty")).to_be_visible()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("refill")


def test_a_lease_ends_under_a_browser(visitors, foyer):
    world = lease(foyer, label="short")
    page = visitors.device(foyer, key=False, storage_state=world["storageState"])
    visitors.refused(404, "/api/events")
    page.goto(foyer.base + "/workspaces")
    row = page.get_by_test_id("workspaces.row").filter(has_text="short")
    row.get_by_test_id("workspaces.end").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")


def test_an_open_page_tells_that_its_world_ended(visitors, foyer):
    # The stream of a world that is gone is refused.
    visitors.refused(404, "/api/events")
    world = lease(foyer)
    page = visitors.device(foyer, storage_state=world["storageState"])
    page.goto(foyer.base + "/studio/mystica")
    acting.arrive(acting.phone(page), "login")
    foyer.api("DELETE", "/api/workspaces/" + world["id"])
    note = page.get_by_test_id("over")
    expect(note).to_contain_text("This workspace has ended")
    expect(page.get_by_test_id("live").first).to_have_text("Ended")
    note.get_by_role("link", name="Choose another").click()
    expect(page).to_have_url(re.compile("/workspaces$"))


def test_a_world_that_is_gone_says_where_to_go(visitors, foyer):
    world = lease(foyer)
    page = visitors.device(foyer, key=False, storage_state=world["storageState"])
    foyer.api("DELETE", "/api/workspaces/" + world["id"])
    visitors.refused(404, "/sessions")
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("error.text")).to_contain_text("lease")
    page.get_by_test_id("error.mend").click()
    expect(page.get_by_test_id("workspaces.row").first).to_be_visible()
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("main")
    page.goto(foyer.base + "/sessions")
    expect(page.get_by_test_id("sessions.total")).to_be_visible()


def test_a_lease_outlives_a_restart_and_still_ends(fresh_foyer):
    kept = lease(fresh_foyer, ttl=3600)
    short = lease(fresh_foyer, ttl=1)
    assert fresh_foyer.stop() == 0
    fresh_foyer.start()
    here = {w["id"] for w in fresh_foyer.api("GET", "/api/workspaces")["items"]}
    assert kept["id"] in here
    # Its stream of events ends with it, if it is not gone already.
    request = urllib.request.Request(
        fresh_foyer.base + "/api/events",
        headers={"Authorization": f"Bearer {fresh_foyer.key}", "X-Foyer-Workspace": short["id"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as stream:
            stream.read()
    except urllib.error.HTTPError as refused:
        assert refused.code == 404
    left = fresh_foyer.api("GET", "/api/workspaces")["items"]
    assert {w["id"] for w in left} == {"main", kept["id"]}
