"""An app's design tokens: seen, tried on the running screens, saved.

The seventh app is used for what is saved: its files are a copy.
"""

import json
import re

import harbour
import looking
import pytest
from foyer import Foyer
from playwright.sync_api import expect

APP = harbour.APP


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A foyer with the seventh app, and the folder it reads it from."""
    folder = harbour.apps(tmp_path_factory.mktemp("look"))
    server = Foyer("look", ["--apps", str(folder)])
    server.sheet = folder / APP / "public" / "app.css"
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def open_look(visitors, house, app=APP, **options):
    page = visitors.device(house, **options)
    page.goto(f"{house.base}/storyboard/{app}/look")
    return page


def ink(page, colour):
    """Types another colour of the text."""
    page.get_by_test_id("look.value.ink").fill(colour)


def in_frame(page, read):
    frame = page.get_by_test_id("look.frame").first.content_frame
    expect(frame.locator("body")).to_be_attached()
    return page.wait_for_function(
        f"() => {{ const f = document.querySelector('[data-preview-frame]');"
        f" const d = f.contentDocument;"
        f" return d && d.body && ({read})(f.contentWindow, d); }}"
    )


def test_a_changed_token_shows_on_the_screen_at_once(visitors, house):
    page = open_look(visitors, house)
    ink(page, "rgb(1, 20, 30)")
    expect(page.get_by_test_id("look.state")).to_have_text("1 value changed, not saved")
    in_frame(page, "(w, d) => getComputedStyle(d.body).color === 'rgb(1, 20, 30)'")
    page.get_by_role("button", name=re.compile("--ink back to")).click()
    in_frame(page, "(w, d) => d.documentElement.style.getPropertyValue('--ink') === ''")
    expect(page.get_by_test_id("look.state")).to_have_text("Nothing changed")


def test_values_that_are_not_saved_are_not_left_without_a_word(visitors, house):
    page = open_look(visitors, house)
    page.on("dialog", lambda dialog: dialog.dismiss())
    ink(page, "#123456")
    with page.expect_event("dialog") as asked:
        page.get_by_test_id("nav.home").click(no_wait_after=True)
    assert asked.value.type == "beforeunload"
    expect(page.get_by_test_id("look.state")).to_have_text("1 value changed, not saved")
    page.get_by_role("button", name=re.compile("--ink back to")).click()
    page.get_by_test_id("nav.home").click()
    page.wait_for_url(house.base + "/")


def test_a_picked_colour_changes_its_half(visitors, house):
    page = open_look(visitors, house)
    value = page.get_by_test_id("look.value.page")
    before = value.input_value()
    pick = page.locator("[data-testid='look.pick.page.light']")
    pick.evaluate(
        "e => { e.value = '#123456'; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(value).to_have_value(re.compile("#123456"))
    if "light-dark" in before:
        dark = before.rstrip(")").split(",", 1)[1].strip()
        assert value.input_value().endswith(dark + ")")


def test_contrast_follows_what_is_typed(visitors, house):
    page = open_look(visitors, house)
    pair = page.locator("[data-pair][data-ink='var(--ink)'][data-ground='var(--page)']")
    page.get_by_test_id("look.value.page").fill("#fff")
    ink(page, "#777")
    expect(pair.locator("[data-number]").first).to_have_text("4.48")
    expect(pair.locator("[data-grade]").first).to_have_text("AA for large text only")
    ink(page, "#767676")
    expect(pair.locator("[data-number]").first).to_have_text("4.54")
    expect(pair.locator("[data-grade]").first).to_have_text("AA")


def test_what_is_no_colour_is_told_while_it_is_typed(visitors, house):
    page = open_look(visitors, house)
    value = page.get_by_test_id("look.value.ink")
    error = page.get_by_test_id("look.error.ink")
    ink(page, "#10203")
    expect(error).to_have_text("This is no colour.")
    expect(value).to_have_attribute("aria-invalid", "true")
    expect(value).to_have_accessible_description("This is no colour.")
    ink(page, "#102030")
    expect(error).to_have_count(0)
    expect(value).not_to_have_attribute("aria-invalid", "true")


def test_saving_changes_only_what_was_changed(visitors, house):
    before = house.sheet.read_text()
    page = open_look(visitors, house)
    ink(page, "#102030")
    page.get_by_test_id("look.save").click()
    expect(page.get_by_test_id("look.note")).to_contain_text("1 value saved")
    after = house.sheet.read_text()
    assert "--ink: #102030" in after
    gone = [line for line in before.splitlines() if line not in after.splitlines()]
    assert len(gone) <= 1
    expect(page.get_by_test_id("look.value.ink")).to_have_value("#102030")
    # It is said once, not to whoever loads the page again.
    expect(page).to_have_url(re.compile("/look$"))
    page.reload()
    expect(page.get_by_test_id("look.note")).to_have_count(0)
    house.sheet.write_text(before)


def test_what_is_saved_stands_beside_what_is_typed(visitors, house):
    page = open_look(visitors, house)
    saved = page.get_by_test_id("look.token.ink").get_attribute("data-saved")
    was = page.get_by_test_id("look.was.ink")
    expect(was).to_be_hidden()
    ink(page, "#102030")
    expect(was).to_have_text(f"saved is {saved}")


def test_the_count_of_low_contrasts_follows_what_is_typed(visitors, house):
    page = open_look(visitors, house)
    page.get_by_test_id("look.value.page").fill("#fff")
    ink(page, "#fffffe")
    said = page.get_by_test_id("look.pairs.text")
    expect(said).to_have_text(re.compile(r"^\d+ of \d+ are below AA now\.$"))
    below = said.inner_text().split()[0]
    expect(page.get_by_test_id("look.fact")).to_contain_text(f", {below} pair")


def test_a_conflict_loses_nothing(visitors, house):
    visitors.refused(409, f"/storyboard/{APP}/look")
    before = house.sheet.read_text()
    page = open_look(visitors, house)
    ink(page, "#203040")
    house.sheet.write_text(before + "\n/* by somebody else */\n:root { --ink: #405060 }\n")
    page.get_by_test_id("look.save").click()
    expect(page.get_by_test_id("look.note")).to_contain_text("changed since")
    expect(page.get_by_test_id("look.was.ink")).to_have_text("saved is #405060")
    expect(page.get_by_test_id("look.value.ink")).to_have_value("#203040")
    assert "#203040" not in house.sheet.read_text()
    page.get_by_test_id("look.save").click()
    expect(page.get_by_test_id("look.note")).to_contain_text("1 value saved")
    after = house.sheet.read_text()
    assert "#203040" in after and "by somebody else" in after
    house.sheet.write_text(before)


def test_what_cannot_be_written_is_refused_by_name(visitors, house):
    visitors.refused(422, f"/storyboard/{APP}/look")
    before = house.sheet.read_text()
    page = open_look(visitors, house)
    ink(page, "red; } body { display: none")
    page.get_by_test_id("look.save").click()
    expect(page.get_by_test_id("look.error.ink")).to_contain_text("--ink")
    assert house.sheet.read_text() == before


def test_without_a_script_a_preview_shows_the_values(visitors, house):
    before = house.sheet.read_text()
    page = open_look(visitors, house, java_script_enabled=False)
    ink(page, "#304050")
    page.get_by_test_id("look.preview").click()
    assert "--ink=%23304050" in page.url
    expect(page.get_by_test_id("look.value.ink")).to_have_value("#304050")
    expect(page.get_by_test_id("look.note")).to_contain_text("Nothing is saved")
    page.get_by_test_id("look.discard").click()
    expect(page.get_by_test_id("look.value.ink")).not_to_have_value("#304050")
    assert house.sheet.read_text() == before


def test_the_tokens_can_be_taken_along(visitors, foyer):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob/look")
    page.get_by_test_id("look.export").click()
    with page.expect_download() as css:
        page.get_by_test_id("look.css").click()
    assert css.value.suggested_filename == "bob.css"
    assert ":root {" in css.value.path().read_text()
    with page.expect_download() as tokens:
        page.get_by_test_id("look.json").click()
    assert tokens.value.suggested_filename == "bob.tokens.json"
    read = json.loads(tokens.value.path().read_text())
    assert read["light"]["color"]["$type"] == "color"
    assert read["dark"]["color"]["page"]["$value"]["hex"] == "#000000"


def test_nothing_is_wider_than_the_page_and_axe_finds_nothing(visitors, foyer):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob/look")
    expect(page.get_by_test_id("look.state")).to_have_text("Nothing changed")
    for windows in looking.CONSOLE:
        looking.examine(visitors, page, "look", windows)
