"""How things were, put back: by name, and from one event."""

import re

import acting
from playwright.sync_api import expect


def take(page, foyer, name, app="mystica"):
    """From the studio's menu, as a person does it."""
    page.goto(f"{foyer.base}/studio/{app}")
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.snapshots").click()
    page.get_by_test_id("snapshots.name").fill(name)
    page.get_by_test_id("snapshots.app").select_option(app)
    page.get_by_test_id("snapshots.take").click()
    return row(page, name)


def row(page, name):
    found = page.get_by_test_id("snapshots.row").filter(has_text=name)
    expect(found).to_have_count(1)
    return found


def put_back(page, foyer, name):
    page.goto(foyer.base + "/snapshots")
    row(page, name).get_by_test_id("snapshots.restore").click()
    page.locator("dialog").get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("snapshots.note")).to_contain_text("was put back")


def wreck(foyer, device, email):
    """Signed out at the server, forgotten on the phone, mail emptied."""
    account = foyer.api("GET", f"/api/accounts?q={email}")["items"][0]
    foyer.api("DELETE", f"/api/accounts/{account['id']}")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")


# Restoring the server's side touches everybody: each test has its own foyer.
def test_what_was_wrecked_is_put_back(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    take(page, foyer, "signed in")
    wreck(foyer, device, email)
    acting.start(page, foyer)
    acting.arrive(page, "login")

    beside = visitors.device(foyer)
    beside.goto(foyer.base + "/accounts")
    expect(beside.get_by_test_id("accounts.row")).to_have_count(0)
    put_back(page, foyer, "signed in")
    # Other pages followed, and what is back works: a refresh succeeds.
    expect(beside.get_by_test_id("accounts.user")).to_have_text(email)
    view = acting.studio(page, foyer)
    acting.signed_in(view, email)
    session = foyer.api("GET", "/api/sessions?state=active")["items"][0]
    after = foyer.api("POST", f"/api/sessions/{session['id']}/refresh")
    assert after["state"] == "active"
    assert after["refreshCount"] == 1


def test_the_phone_in_the_studio_follows(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    taken = foyer.api("POST", "/api/snapshots", {"name": "on the map"}, device=device)
    wreck(foyer, device, email)
    view = acting.studio(page, foyer)
    acting.arrive(view, "login")
    answer = foyer.api("POST", f"/api/snapshots/{taken['id']}/restore")
    assert "put back together" in answer["note"]
    acting.signed_in(view, email)
    expect(page.get_by_test_id("storage.mystica_access_token")).to_be_visible()


def test_a_snapshot_survives_a_kill(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    taken = foyer.api("POST", "/api/snapshots", {"name": "before the kill"}, device=device)
    wreck(foyer, device, email)
    foyer.kill()
    foyer.start()
    assert foyer.api("GET", "/api/snapshots")["total"] == 1
    foyer.api("POST", f"/api/snapshots/{taken['id']}/restore")
    state = foyer.api("GET", f"/api/devices/{device}/apps/mystica")
    assert state["screen"] == "map"
    assert state["session"]["user"]["email"] == email
    foyer.api("DELETE", f"/api/snapshots/{taken['id']}")
    assert foyer.api("GET", "/api/snapshots")["items"] == []
    page.close()


def test_snapshots_work_without_script(fresh_foyer, visitors, person):
    foyer = fresh_foyer
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/apps/mystica/")
    page.goto(foyer.base + "/snapshots")
    page.get_by_test_id("snapshots.name").fill("bare")
    page.get_by_test_id("snapshots.take").click()
    row(page, "bare").get_by_test_id("snapshots.restore").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("snapshots.note")).to_be_visible()
    row(page, "bare").get_by_test_id("snapshots.delete").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("empty")).to_be_visible()


def test_a_moment_is_restored_from_the_timeline(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    view = acting.studio(page, foyer)
    acting.signed_in(view, email)
    stored = foyer.api("GET", place)["storage"]
    foyer.api("DELETE", place + "/storage")
    foyer.api("POST", place + "/relaunch")
    acting.arrive(view, "login")

    mark = page.get_by_test_id("timeline.event").filter(has_text=re.compile("^map$")).first
    mark.focus()
    mark.hover()
    page.get_by_test_id("timeline.restore").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("The device alone")
    dialog.get_by_test_id("confirm.yes").click()
    acting.signed_in(view, email)
    assert foyer.api("GET", place)["storage"] == stored


def test_what_is_read_of_a_mark_stays_while_the_strip_is_drawn_anew(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    acting.studio(page, foyer)
    marks = page.get_by_test_id("timeline.event")
    marks.filter(has_text=re.compile("^map$")).first.hover()
    restore = page.get_by_test_id("timeline.restore")
    restore.hover()
    newest = marks.last.get_attribute("data-key")
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    page.wait_for_function(
        """key => [...document.querySelectorAll('.timeline .mark')]
               .at(-1).dataset.key !== key""",
        arg=newest,
    )
    restore.click()
    expect(page.locator("dialog")).to_contain_text("Restore this moment?")


def test_a_mark_without_a_page_leads_to_its_moment(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    acting.studio(page, foyer)
    page.get_by_test_id("timeline.event").filter(has_text=re.compile("^map$")).first.focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("event.restore").click()
    expect(page.get_by_text("Restore this moment?")).to_be_visible()
    page.get_by_test_id("confirm.yes").click()
    acting.signed_in(acting.phone(page), email)


def test_a_moment_restored_alone_is_told_to_be_used(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    session = foyer.api("GET", place)["session"]["id"]
    # An app's own page may ask for nothing of the console's.
    page.goto(foyer.base + "/sessions")
    with page.expect_response("**/api/events?after=0") as stream:
        page.evaluate("""() => new Promise((done, failed) => {
            window.seen = [];
            const stream = new EventSource('/api/events?after=0');
            stream.onerror = failed;
            stream.addEventListener('session.began', e => {
                const told = JSON.parse(e.data);
                window.seen.push(told); done();
            });
        })""")
    assert stream.value.ok
    page.wait_for_function("d => window.seen.some(e => e.device === d)", arg=device)
    began = page.evaluate("d => window.seen.find(e => e.device === d).id", device)
    foyer.api("POST", f"/api/sessions/{session}/refresh")
    answer = foyer.api("POST", f"/api/events/{began}/restore")
    assert answer["screen"] == "map"
    assert "generation 2" in answer["note"]
    after = foyer.api("POST", f"/api/sessions/{session}/refresh")
    assert after["state"] == "revoked"
