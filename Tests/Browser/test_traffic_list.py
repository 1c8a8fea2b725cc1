"""The list of requests: the request beside it, the keyboard, filters, deletion and recording."""

import re

import acting
import pytest
from playwright.sync_api import expect

WIDE = {"width": 1440, "height": 900}


@pytest.fixture
def listed(browsers, foyer, person):
    """A wide page of the list of a signed-in device's requests, and its device."""
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    page.set_viewport_size(WIDE)
    device = acting.device_of(page, foyer)
    for _ in range(3):
        foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    page.goto(f"{foyer.base}/traffic?device={device}")
    expect(page.get_by_test_id("traffic.row").nth(2)).to_be_visible()
    return page, device


def selected(page):
    return page.locator("tr.is-selected")


def test_a_request_opens_beside_the_list_and_history_and_reload_keep_it(listed):
    page, _ = listed
    url = page.url
    page.get_by_test_id("traffic.row").nth(1).locator(".row-link").click()
    expect(page.get_by_test_id("pane")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/traffic/exc_\w+$"))
    expect(page.get_by_test_id("traffic.row").nth(1)).to_have_class(re.compile("is-selected"))
    opened = page.url
    page.reload()
    expect(page.get_by_test_id("pane")).to_be_visible()
    expect(page).to_have_url(opened)
    expect(selected(page)).to_have_count(1)
    page.go_back()
    expect(page).to_have_url(url)
    expect(page.get_by_test_id("pane")).to_have_count(0)
    page.go_forward()
    expect(page.get_by_test_id("pane")).to_be_visible()


def test_the_keyboard_walks_opens_and_closes(listed):
    page, _ = listed
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    rows = page.get_by_test_id("traffic.row")
    expect(rows.nth(1).locator(".row-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("pane.title")).to_be_visible()
    expect(page.locator("[data-list-status]")).to_contain_text("shown beside the list")
    first = page.url
    page.keyboard.press("ArrowUp")
    expect(page).not_to_have_url(first)
    expect(rows.nth(0)).to_have_class(re.compile("is-selected"))
    # Escape closes an open menu first.
    page.get_by_test_id("exchange.copy").click()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("exchange.curl")).to_be_hidden()
    expect(page.get_by_test_id("pane")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"/traffic\?device="))
    expect(page.get_by_test_id("pane")).to_have_count(0)
    expect(rows.nth(0).locator(".row-link")).to_be_focused()


def test_a_narrow_window_opens_the_request_as_a_page(listed):
    page, _ = listed
    acting.resize(page, 820, 900)
    page.get_by_test_id("traffic.row").first.locator(".row-link").click()
    expect(page.get_by_test_id("exchange.url")).to_be_visible()
    expect(page.get_by_test_id("pane")).to_have_count(0)


def test_new_requests_do_not_move_the_selected_one(listed, foyer):
    page, device = listed
    page.get_by_test_id("traffic.row").nth(1).locator(".row-link").click()
    expect(page.get_by_test_id("pane")).to_be_visible()
    key = selected(page).get_attribute("data-key")
    count = page.get_by_test_id("traffic.row").count()
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    expect(page.get_by_test_id("traffic.row")).to_have_count(count + 1)
    expect(selected(page)).to_have_attribute("data-key", key)


def test_an_invalid_search_is_explained_and_kept(listed, browsers, foyer):
    page, _ = listed
    search = page.get_by_test_id("traffic.search")
    search.fill("path:/auth/me status:2xx")
    search.press("Enter")
    expect(page.get_by_test_id("traffic.row").first).to_contain_text("/auth/me")
    browsers.expect_status(400, "/traffic")
    search.fill("stat:401 me")
    search.press("Enter")
    expect(page.get_by_test_id("traffic.search.error")).to_contain_text("Valid filters: app:")
    expect(search).to_have_value("stat:401 me")


def test_requests_are_deleted_one_by_one_selected_and_filtered(listed):
    page, _ = listed
    rows = page.get_by_test_id("traffic.row")
    count = rows.count()
    rows.first.hover()
    rows.first.get_by_test_id("traffic.delete").click()
    expect(rows).to_have_count(count - 1)
    rows.first.hover()
    rows.first.get_by_test_id("traffic.pick").check()
    expect(page.get_by_test_id("traffic.delete.selected")).to_have_text("Delete selected (1)")
    page.get_by_test_id("traffic.delete.selected").click()
    expect(page.locator("dialog")).to_contain_text("Delete 1 request?")
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("traffic.total")).to_be_visible()


def test_recording_pauses_and_resumes(listed, foyer):
    page, device = listed
    page.get_by_test_id("traffic.pause").click()
    expect(page.get_by_test_id("traffic.paused")).to_be_visible()
    before = foyer.api("GET", f"/api/exchanges?device={device}")["total"]
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    assert foyer.api("GET", f"/api/exchanges?device={device}")["total"] == before
    page.get_by_test_id("traffic.resume").click()
    expect(page.get_by_test_id("traffic.pause")).to_be_visible()
    assert foyer.api("GET", "/api/exchanges/recording") == {"paused": False}
