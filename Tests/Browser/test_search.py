"""Search across everything, and the list of keyboard shortcuts."""

import acting
import looking
from playwright.sync_api import expect


def test_a_session_is_found_and_opened_with_the_keyboard_alone(browsers, page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.studio(page, foyer)
    page.keyboard.press("Control+k")
    field = page.get_by_test_id("search.dialog")
    expect(field).to_be_focused()
    field.press_sequentially(email)
    expect(page.get_by_test_id("search.account")).to_have_count(1)
    looking.examine(browsers, page, "search-dialog", [(390, 844), (1366, 650)])
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("search.account")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/accounts/*")
    page.go_back()
    acting.expect_screen(acting.phone(page), "login")


def test_slash_searches_the_list_of_a_page_that_has_one(page, foyer):
    page.goto(f"{foyer.base}/sessions")
    page.keyboard.press("/")
    expect(page.get_by_test_id("sessions.search")).to_be_focused()
    page.goto(f"{foyer.base}/clock")
    page.keyboard.press("/")
    expect(page.get_by_test_id("search.dialog")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("search.dialog")).to_have_count(0)


def test_question_mark_lists_the_shortcuts(page, foyer):
    page.goto(f"{foyer.base}/traffic")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_test_id("traffic.search").fill("?")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_search_works_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/")
    page.get_by_test_id("nav.search").click()
    page.get_by_test_id("search.text").fill("design tokens")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("search.page").first).to_contain_text("Design tokens")
