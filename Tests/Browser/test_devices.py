"""The studio on other devices than the browser's, and on two side by side."""

import acting
from playwright.sync_api import expect


def menu(page, name):
    page.get_by_test_id("studio.devices").click()
    return page.get_by_test_id(f"studio.devices.{name}")


def second_phone(page):
    return page.frame_locator("[data-testid='studio.phone.second']")


def test_two_phones_side_by_side_are_used_and_updated_independently(page, foyer):
    acting.studio(page, foyer, "mystica")
    acting.expect_screen(acting.phone(page), "login")
    menu(page, "add.beside").click()
    expect(second_phone(page).get_by_test_id("login.submit")).to_be_visible()
    with page.expect_response("**part=*tokens*"):
        page.get_by_test_id("studio.seed").click()
    acting.expect_screen(acting.phone(page), "map")
    expect(page.get_by_test_id("studio.second.user")).to_have_text("Signed out")
    expect(second_phone(page).get_by_test_id("login.submit")).to_be_visible()
    # The same session on both: the second follows without a reload of the page.
    page.get_by_test_id("studio.copydata").click()
    expect(second_phone(page).get_by_test_id("map.email")).to_be_visible()
    expect(page.get_by_test_id("studio.second.user")).not_to_have_text("Signed out")
    page.get_by_test_id("studio.second.inspect").click()
    expect(page.get_by_test_id("studio.token.access")).to_be_visible()
    page.get_by_test_id("studio.second.close").click()
    expect(page.get_by_test_id("studio.phone.second")).to_have_count(0)


def test_the_menu_selects_a_workers_phone_with_the_keyboard(page, foyer):
    seed = {"app": "mystica", "state": "signedIn"}
    lease = foyer.api("POST", "/api/workspaces", {"label": "worker", "seed": seed})
    acting.studio(page, foyer, "mystica")
    page.get_by_test_id("studio.devices").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id(f"studio.devices.{lease['device']}").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/studio/mystica?device={lease['device']}")
    expect(page.get_by_test_id("nav.workspace")).to_contain_text("worker")
    email = lease["user"]["email"]
    expect(acting.phone(page).get_by_test_id("map.email")).to_have_text(email)


def test_an_open_page_of_a_deleted_device_says_so_and_leads_to_another(page, foyer, browsers):
    device = foyer.api("POST", "/api/devices")["id"]
    page.goto(f"{foyer.base}/studio/mystica?device={device}")
    acting.expect_screen(acting.phone(page), "login")
    browsers.expect_status(404, "/studio/mystica|/apps/mystica")
    foyer.api("DELETE", f"/api/devices/{device}")
    note = page.get_by_test_id("page-deleted")
    expect(note).to_contain_text("Device deleted")
    expect(page.get_by_test_id("live").first).to_have_text("Deleted")
    note.get_by_role("link", name="Show another device").click()
    expect(page.get_by_test_id("studio.devices")).to_be_visible()
    page.goto(f"{foyer.base}/studio/mystica?device={device}")
    page.get_by_test_id("error.fix").click()
    expect(page.get_by_test_id("studio.devices")).to_be_visible()


def test_an_invalid_device_name_is_reported_in_the_dialog(page, foyer, browsers):
    acting.studio(page, foyer, "mystica")
    menu(page, "rename").click()
    name = page.get_by_test_id("device.name")
    name.fill(" ")
    browsers.expect_status(400, r"/studio/mystica/device/name")
    page.get_by_test_id("device.name.save").click()
    expect(page.locator("dialog")).to_contain_text("The name must have 1 to 80 bytes")
    name.fill("My phone")
    page.get_by_test_id("device.name.save").click()
    expect(page.get_by_test_id("studio.devices")).to_contain_text("My phone")


def test_a_device_is_deleted_and_the_browser_gets_another(page, foyer):
    acting.studio(page, foyer, "mystica")
    old = page.locator("[data-studio]").get_attribute("data-device")
    menu(page, "delete").click()
    page.get_by_test_id("confirm.yes").click()
    acting.expect_screen(acting.phone(page), "login")
    expect(page.locator("[data-studio]")).not_to_have_attribute("data-device", old)
