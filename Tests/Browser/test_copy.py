"""The copy deck: every text of an app, searched, exported, tried."""

import csv
import io
import re

import looking
import pytest
from playwright.sync_api import expect


def open_copy(visitors, foyer, app="bob", query="", **options):
    page = visitors.device(foyer, **options)
    page.goto(f"{foyer.base}/storyboard/{app}/copy{query}")
    return page


def row(page, text):
    return page.locator(f'[data-copy-row="{text}"]').first


def screen(page):
    frame = page.get_by_test_id("copy.frame").content_frame
    expect(frame.locator("body")).to_be_visible()
    return frame


def test_a_search_narrows_as_it_is_typed(visitors, foyer):
    page = open_copy(visitors, foyer)
    page.get_by_test_id("copy.search").fill("valid email")
    expect(row(page, "Please enter a valid email address")).to_be_visible()
    expect(row(page, "Build Better Together")).to_be_hidden()
    expect(page.get_by_test_id("copy.total")).to_have_text(re.compile(r"^\d+ of \d+ texts$"))
    with page.expect_navigation(url="**/copy?q=valid+email*"):
        page.get_by_test_id("copy.search").press("Enter")
    expect(row(page, "Please enter a valid email address")).to_be_visible()
    expect(row(page, "Build Better Together")).to_be_hidden()
    page.get_by_test_id("copy.search").fill("together")
    expect(row(page, "Build Better Together")).to_be_visible()


def test_what_is_searched_for_stands_in_the_address(visitors, foyer):
    page = open_copy(visitors, foyer)
    page.get_by_test_id("copy.search").fill("valid")
    expect(page).to_have_url(re.compile(r"copy\?q=valid$"))
    page.get_by_test_id("copy.kind").click()
    page.get_by_test_id("copy.kind.rule").click()
    expect(page).to_have_url(re.compile(r"kind=rule.*q=valid|q=valid.*kind=rule"))
    expect(page.get_by_test_id("copy.search")).to_have_value("valid")
    page.reload()
    expect(row(page, "Please enter a valid email address")).to_be_visible()
    expect(page.get_by_test_id("copy.total")).to_have_text(re.compile(r"^\d+ of \d+ texts$"))
    page.get_by_test_id("copy.search").fill("")
    expect(page).not_to_have_url(re.compile("q="))


def test_filters_narrow_without_a_script(visitors, foyer):
    page = open_copy(visitors, foyer, query="?screen=register&kind=rule", java_script_enabled=False)
    kinds = page.locator(".copy-row .chip").all_inner_texts()
    assert kinds and set(kinds) == {"rule"}
    page.get_by_test_id("copy.source.templates").click()
    expect(page.get_by_test_id("empty")).to_contain_text("No text fits")
    expect(page.get_by_text("needs a script")).to_be_visible()


def test_other_words_show_in_the_screen_and_nothing_is_saved(visitors, foyer):
    page = open_copy(visitors, foyer)
    mine = row(page, "Sign Up")
    mine.get_by_test_id("copy.new").fill("Join the crew")
    expect(screen(page).get_by_text("Join the crew")).to_be_visible()
    expect(screen(page).get_by_text("Sign Up")).to_have_count(0)
    expect(page.get_by_test_id("copy.state")).to_contain_text("1 text changed in this tab")
    # The field's own words are heard, not seen.
    row(page, "Email").get_by_test_id("copy.new").fill("Your address")
    expect(screen(page).get_by_placeholder("Your address")).to_be_visible()
    page.reload()
    expect(screen(page).get_by_text("Join the crew")).to_be_visible()
    page.get_by_test_id("copy.reset").click()
    expect(screen(page).get_by_text("Sign Up")).to_be_visible()
    page.goto(f"{foyer.base}/storyboard/bob/login/default/frame")
    expect(page.get_by_text("Sign Up")).to_be_visible()


def test_a_message_is_shown_in_the_state_that_says_it(visitors, foyer):
    page = open_copy(visitors, foyer)
    mine = row(page, "Please enter a valid email address")
    mine.get_by_test_id("copy.new").fill("That is no address")
    expect(page.get_by_test_id("copy.frame")).to_have_attribute(
        "src", re.compile("/login/error.email/frame")
    )
    expect(screen(page).get_by_text("That is no address").first).to_be_visible()


@pytest.mark.whole_browser
def test_changes_can_be_handed_over(visitors, foyer):
    page = open_copy(visitors, foyer)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row(page, "Sign Up").get_by_test_id("copy.new").fill('Say "yes", now')
    page.get_by_test_id("copy.changes.csv").click()
    expect(page.get_by_role("status").filter(has_text="as CSV")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["old", "new", "place", "path"]
    assert lines[1][:2] == ["Sign Up", 'Say "yes", now']
    assert lines[1][3] == "screens/login/links/register/label"


@pytest.mark.whole_browser
def test_words_that_stand_in_several_places_are_handed_over_for_each(visitors, foyer):
    page = open_copy(visitors, foyer, "bob")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = "Bob the Builder"
    places = page.locator(f'[data-copy-row="{text}"]').count()
    assert places > 1
    row(page, text).get_by_test_id("copy.new").fill("Build with Bob")
    page.get_by_test_id("copy.changes.csv").click()
    expect(page.locator(".toast").filter(has_text="CSV")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 1 + places
    assert len(set(lines)) == 1 + places


def test_the_deck_can_be_taken_along(visitors, foyer):
    page = open_copy(visitors, foyer, query="?kind=failure")
    page.get_by_test_id("copy.export").click()
    with page.expect_download() as download:
        page.get_by_test_id("copy.csv").click()
    assert download.value.suggested_filename == "bob-copy.csv"
    text = download.value.path().read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == page.get_by_test_id("copy.row").count()
    assert {r["kind"] for r in rows} == {"failure"}


def test_nothing_is_wider_than_the_page_and_axe_finds_nothing(visitors, foyer):
    page = open_copy(visitors, foyer, "clarity")
    expect(page.get_by_test_id("copy.state")).to_be_visible()
    for windows in looking.CONSOLE:
        looking.examine(visitors, page, "copy", windows)
