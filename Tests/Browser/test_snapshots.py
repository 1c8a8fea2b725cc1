"""Snapshots: state restored by name, and device state restored from an event."""

import re

import acting
from playwright.sync_api import expect


def take_snapshot(page, foyer, name, app="mystica"):
    """Takes a snapshot from the studio's menu."""
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


def restore_snapshot(page, foyer, name):
    page.goto(foyer.base + "/snapshots")
    row(page, name).get_by_test_id("snapshots.restore").click()
    page.locator("dialog").get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("snapshots.note")).to_contain_text("was restored")


def delete_everything(foyer, device, email):
    """Deletes the account at the server and the app's storage on the device."""
    account = foyer.api("GET", f"/api/accounts?q={email}")["items"][0]
    foyer.api("DELETE", f"/api/accounts/{account['id']}")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")


# Restoring the server's state affects all devices: each of these tests has its own foyer.
def test_a_snapshot_restores_the_account_and_its_session(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    take_snapshot(page, foyer, "signed in")
    delete_everything(foyer, device, email)
    acting.start(page, foyer)
    acting.expect_screen(page, "login")

    other = browsers.device(foyer)
    other.goto(foyer.base + "/accounts")
    expect(other.get_by_test_id("accounts.row")).to_have_count(0)
    restore_snapshot(page, foyer, "signed in")
    # Other pages update live, and the restored session works: a refresh succeeds.
    expect(other.get_by_test_id("accounts.user")).to_have_text(email)
    view = acting.studio(page, foyer)
    acting.expect_signed_in(view, email)
    session = foyer.api("GET", "/api/sessions?state=active")["items"][0]
    after = foyer.api("POST", f"/api/sessions/{session['id']}/refresh")
    assert after["state"] == "active"
    assert after["refreshCount"] == 1


def test_the_studios_phone_follows_a_restored_snapshot(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    snapshot = foyer.api("POST", "/api/snapshots", {"name": "on the map"}, device=device)
    delete_everything(foyer, device, email)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "login")
    response = foyer.api("POST", f"/api/snapshots/{snapshot['id']}/restore")
    assert "restored together" in response["note"]
    acting.expect_signed_in(view, email)
    expect(page.get_by_test_id("storage.mystica_access_token")).to_be_visible()


def test_a_snapshot_survives_a_kill(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    snapshot = foyer.api("POST", "/api/snapshots", {"name": "before the kill"}, device=device)
    delete_everything(foyer, device, email)
    foyer.kill()
    foyer.start()
    assert foyer.api("GET", "/api/snapshots")["total"] == 1
    foyer.api("POST", f"/api/snapshots/{snapshot['id']}/restore")
    state = foyer.api("GET", f"/api/devices/{device}/apps/mystica")
    assert state["screen"] == "map"
    assert state["session"]["user"]["email"] == email
    foyer.api("DELETE", f"/api/snapshots/{snapshot['id']}")
    assert foyer.api("GET", "/api/snapshots")["items"] == []
    page.close()


def test_snapshots_work_without_scripts(fresh_foyer, browsers, person):
    foyer = fresh_foyer
    page = browsers.device(foyer, java_script_enabled=False)
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


def test_a_device_state_is_restored_from_the_timeline(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    view = acting.studio(page, foyer)
    acting.expect_signed_in(view, email)
    stored = foyer.api("GET", app_path)["storage"]
    foyer.api("DELETE", app_path + "/storage")
    foyer.api("POST", app_path + "/relaunch")
    acting.expect_screen(view, "login")

    mark = page.get_by_test_id("timeline.event").filter(has_text=re.compile("^map$")).first
    mark.focus()
    mark.hover()
    page.get_by_test_id("timeline.restore").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("Restores this device's storage")
    dialog.get_by_test_id("confirm.yes").click()
    acting.expect_signed_in(view, email)
    assert foyer.api("GET", app_path)["storage"] == stored


def test_a_timeline_tooltip_stays_open_during_updates(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
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
    expect(page.locator("dialog")).to_contain_text("Restore this point?")


def test_a_timeline_mark_opens_its_event_by_keyboard(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    acting.studio(page, foyer)
    page.get_by_test_id("timeline.event").filter(has_text=re.compile("^map$")).first.focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("event.restore").click()
    expect(page.get_by_text("Restore this point?")).to_be_visible()
    page.get_by_test_id("confirm.yes").click()
    acting.expect_signed_in(acting.phone(page), email)


def test_restoring_an_event_warns_of_a_used_refresh_token(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    session = foyer.api("GET", app_path)["session"]["id"]
    # An app's page may not request the console's resources.
    page.goto(foyer.base + "/sessions")
    with page.expect_response("**/api/events?after=0") as stream:
        page.evaluate("""() => new Promise((done, failed) => {
            window.seen = [];
            const stream = new EventSource('/api/events?after=0');
            stream.onerror = failed;
            stream.addEventListener('session.began', e => {
                window.seen.push(JSON.parse(e.data));
                done();
            });
        })""")
    assert stream.value.ok
    page.wait_for_function("d => window.seen.some(e => e.device === d)", arg=device)
    event = page.evaluate("d => window.seen.find(e => e.device === d).id", device)
    foyer.api("POST", f"/api/sessions/{session}/refresh")
    response = foyer.api("POST", f"/api/events/{event}/restore")
    assert response["screen"] == "map"
    assert "generation 2" in response["note"]
    after = foyer.api("POST", f"/api/sessions/{session}/refresh")
    assert after["state"] == "revoked"
