"""The documentation of the API: its filter, the keyboard, without a key and without scripts."""

import re

import looking
from playwright.sync_api import expect


def test_the_documentation_is_filtered_and_used_with_the_keyboard_alone(page, foyer):
    page.goto(f"{foyer.base}/api/docs")
    looking.check_fits(page, "api-docs", 390, 844)
    looking.check_fits(page, "api-docs", 1366, 650)
    page.keyboard.press("/")
    field = page.get_by_test_id("api.filter")
    expect(field).to_be_focused()
    field.press_sequentially("mailbox wait")
    expect(page.get_by_test_id("api.count")).to_contain_text("1 of ")
    expect(page.get_by_test_id("api.operation").locator("visible=true")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#waitForMail$"))
    # The filter is in the URL; a link to what it hides ends it.
    page.reload()
    expect(field).to_have_value("mailbox wait")
    page.evaluate("location.hash = 'listDevices'")
    expect(field).to_have_value("")
    expect(page.locator("#listDevices")).to_be_in_viewport()
    field.fill("no such operation")
    expect(page.get_by_test_id("api.none")).to_be_visible()
    field.press("Escape")
    expect(page.get_by_test_id("api.none")).to_be_hidden()


def test_the_documentation_opens_without_a_key_and_without_scripts(browsers, foyer):
    page = browsers.device(
        foyer, key=False, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page.goto(f"{foyer.base}/api/docs#schema-Fault")
    expect(page.locator("#schema-Fault")).to_be_in_viewport()
    expect(page.get_by_test_id("api.filter")).to_be_hidden()
    expect(page.get_by_test_id("api.operation").first).to_be_visible()
    page.get_by_role("link", name="Devices", exact=True).first.click()
    expect(page.locator("#tag-devices")).to_be_in_viewport()
