"""The copy deck: every text of an app, with search, export and preview of replacements."""

import csv
import io
import re

import looking
import pytest
from playwright.sync_api import expect


def open_copy(browsers, foyer, app="bob", query="", **options):
    page = browsers.device(foyer, **options)
    page.goto(f"{foyer.base}/storyboard/{app}/copy{query}")
    return page


def row(page, text):
    return page.locator(f'[data-copy-row="{text}"]').first


def screen(page):
    frame = page.get_by_test_id("copy.frame").content_frame
    expect(frame.locator("body")).to_be_visible()
    return frame


def test_a_search_filters_while_typing(browsers, foyer):
    page = open_copy(browsers, foyer)
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


def test_the_search_term_is_part_of_the_url(browsers, foyer):
    page = open_copy(browsers, foyer)
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


def test_filters_work_without_scripts(browsers, foyer):
    page = open_copy(browsers, foyer, query="?screen=register&kind=rule", java_script_enabled=False)
    kinds = page.locator(".copy-row .chip").all_inner_texts()
    assert kinds and set(kinds) == {"rule"}
    page.get_by_test_id("copy.source.templates").click()
    expect(page.get_by_test_id("empty")).to_contain_text("No matching texts")
    expect(page.get_by_text("needs JavaScript")).to_be_visible()


def test_replacements_show_in_the_screen_and_are_not_saved(browsers, foyer):
    page = open_copy(browsers, foyer)
    text_row = row(page, "Sign Up")
    text_row.get_by_test_id("copy.replacement").fill("Join the crew")
    expect(screen(page).get_by_text("Join the crew")).to_be_visible()
    expect(screen(page).get_by_text("Sign Up")).to_have_count(0)
    expect(page.get_by_test_id("copy.state")).to_contain_text("1 text changed in this tab")
    # The field's label is for screen readers only; its placeholder is visible.
    row(page, "Email").get_by_test_id("copy.replacement").fill("Your address")
    expect(screen(page).get_by_placeholder("Your address")).to_be_visible()
    page.reload()
    row(page, "Sign Up").get_by_test_id("copy.replacement").focus()
    expect(screen(page).get_by_text("Join the crew")).to_be_visible()
    page.get_by_test_id("copy.reset").click()
    expect(screen(page).get_by_text("Sign Up")).to_be_visible()
    page.goto(f"{foyer.base}/storyboard/bob/login/default/frame")
    expect(page.get_by_text("Sign Up")).to_be_visible()


def test_a_replaced_message_shows_in_its_state(browsers, foyer):
    page = open_copy(browsers, foyer)
    text_row = row(page, "Please enter a valid email address")
    text_row.get_by_test_id("copy.replacement").fill("That is no address")
    expect(page.get_by_test_id("copy.frame")).to_have_attribute(
        "src", re.compile("/login/error.email/frame")
    )
    expect(screen(page).get_by_text("That is no address").first).to_be_visible()


@pytest.mark.full_browser
def test_changes_are_copied_as_csv(browsers, foyer):
    page = open_copy(browsers, foyer)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row(page, "Sign Up").get_by_test_id("copy.replacement").fill('Say "yes", now')
    page.get_by_test_id("copy.changes.csv").click()
    expect(page.get_by_role("status").filter(has_text="as CSV")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["old", "new", "location", "path"]
    assert lines[1][:2] == ["Sign Up", 'Say "yes", now']
    assert lines[1][3] == "screens/login/links/register/label"


@pytest.mark.full_browser
def test_a_text_with_several_sources_is_copied_once_for_each(browsers, foyer):
    page = open_copy(browsers, foyer, "bob")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = "Bob the Builder"
    count = page.locator(f'[data-copy-row="{text}"]').count()
    assert count > 1
    row(page, text).get_by_test_id("copy.replacement").fill("Build with Bob")
    page.get_by_test_id("copy.changes.csv").click()
    expect(page.locator(".toast").filter(has_text="CSV")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 1 + count
    assert len(set(lines)) == 1 + count


def test_the_copy_deck_is_exported_as_csv(browsers, foyer):
    page = open_copy(browsers, foyer, query="?kind=failure")
    page.get_by_test_id("copy.export").click()
    with page.expect_download() as download:
        page.get_by_test_id("copy.csv").click()
    assert download.value.suggested_filename == "bob-copy.csv"
    text = download.value.path().read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == page.get_by_test_id("copy.row").count()
    assert {r["kind"] for r in rows} == {"failure"}


# test_states checks the wide page.
def test_axe_finds_nothing_on_the_narrow_page(browsers, foyer):
    page = open_copy(browsers, foyer, "clarity")
    expect(page.get_by_test_id("copy.state")).to_be_visible()
    looking.examine(browsers, page, "copy", [(390, 844)])
