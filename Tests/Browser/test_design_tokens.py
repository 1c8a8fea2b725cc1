"""An app's design tokens: shown, previewed on the running screens, and saved.

Tests that save use the seventh app, whose files are a copy.
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
def apps_foyer(tmp_path_factory):
    """A foyer with a copy of the seventh app; `sheet` is the copy's style sheet."""
    folder = harbour.copy_apps(tmp_path_factory.mktemp("design-tokens"))
    server = Foyer("design-tokens", ["--apps", str(folder)])
    server.sheet = folder / APP / "public" / "app.css"
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def open_tokens(browsers, apps_foyer, app=APP, **options):
    page = browsers.device(apps_foyer, **options)
    page.goto(f"{apps_foyer.base}/storyboard/{app}/tokens")
    return page


def type_text_color(page, color):
    """Types another text color."""
    page.get_by_test_id("design.value.ink").fill(color)


def in_frame(page, condition):
    frame = page.get_by_test_id("design.frame").first.content_frame
    expect(frame.locator("body")).to_be_attached()
    return page.wait_for_function(
        f"() => {{ const f = document.querySelector('[data-preview-frame]');"
        f" const d = f.contentDocument;"
        f" return d && d.body && ({condition})(f.contentWindow, d); }}"
    )


def test_a_changed_token_shows_on_the_screen_at_once(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    type_text_color(page, "rgb(1, 20, 30)")
    expect(page.get_by_test_id("design.state")).to_have_text("1 value changed, not saved")
    in_frame(page, "(w, d) => getComputedStyle(d.body).color === 'rgb(1, 20, 30)'")
    page.get_by_role("button", name=re.compile("Revert --ink to")).click()
    in_frame(page, "(w, d) => d.documentElement.style.getPropertyValue('--ink') === ''")
    expect(page.get_by_test_id("design.state")).to_have_text("No changes")


def test_leaving_with_unsaved_values_asks_for_confirmation(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    page.on("dialog", lambda dialog: dialog.dismiss())
    type_text_color(page, "#123456")
    with page.expect_event("dialog") as confirmation:
        page.get_by_test_id("nav.home").click(no_wait_after=True)
    assert confirmation.value.type == "beforeunload"
    expect(page.get_by_test_id("design.state")).to_have_text("1 value changed, not saved")
    page.get_by_role("button", name=re.compile("Revert --ink to")).click()
    page.get_by_test_id("nav.home").click()
    page.wait_for_url(apps_foyer.base + "/")


def test_a_picked_color_changes_the_value_of_one_appearance(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    value = page.get_by_test_id("design.value.page")
    before = value.input_value()
    picker = page.locator("[data-testid='design.picker.page.light']")
    picker.evaluate(
        "e => { e.value = '#123456'; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(value).to_have_value(re.compile("#123456"))
    if "light-dark" in before:
        dark = before.rstrip(")").split(",", 1)[1].strip()
        assert value.input_value().endswith(dark + ")")


def test_the_contrast_is_updated_while_typing(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    pair = page.locator("[data-pair][data-foreground='var(--ink)'][data-background='var(--page)']")
    page.get_by_test_id("design.value.page").fill("#fff")
    type_text_color(page, "#777")
    expect(pair.locator("[data-number]").first).to_have_text("4.48")
    expect(pair.locator("[data-grade]").first).to_have_text("AA for large text only")
    type_text_color(page, "#767676")
    expect(pair.locator("[data-number]").first).to_have_text("4.54")
    expect(pair.locator("[data-grade]").first).to_have_text("AA")


def test_an_invalid_color_is_reported_while_typing(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    value = page.get_by_test_id("design.value.ink")
    error = page.get_by_test_id("design.error.ink")
    type_text_color(page, "#10203")
    expect(error).to_have_text("Invalid color")
    expect(value).to_have_attribute("aria-invalid", "true")
    expect(value).to_have_accessible_description("Invalid color")
    type_text_color(page, "#102030")
    expect(error).to_have_count(0)
    expect(value).not_to_have_attribute("aria-invalid", "true")


def test_saving_writes_only_changed_values(browsers, apps_foyer):
    before = apps_foyer.sheet.read_text()
    page = open_tokens(browsers, apps_foyer)
    type_text_color(page, "#102030")
    page.get_by_test_id("design.save").click()
    expect(page.get_by_test_id("design.note")).to_contain_text("1 value saved")
    after = apps_foyer.sheet.read_text()
    assert "--ink: #102030" in after
    removed = [line for line in before.splitlines() if line not in after.splitlines()]
    assert len(removed) <= 1
    expect(page.get_by_test_id("design.value.ink")).to_have_value("#102030")
    # The note is shown once, not again after a reload.
    expect(page).to_have_url(re.compile("/tokens$"))
    page.reload()
    expect(page.get_by_test_id("design.note")).to_have_count(0)
    apps_foyer.sheet.write_text(before)


def test_the_saved_value_is_shown_beside_the_typed_one(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    saved = page.get_by_test_id("design.token.ink").get_attribute("data-saved")
    saved_value = page.get_by_test_id("design.saved.ink")
    expect(saved_value).to_be_hidden()
    type_text_color(page, "#102030")
    expect(saved_value).to_have_text(f"Saved: {saved}")


def test_the_count_of_low_contrasts_is_updated_while_typing(browsers, apps_foyer):
    page = open_tokens(browsers, apps_foyer)
    page.get_by_test_id("design.value.page").fill("#fff")
    type_text_color(page, "#fffffe")
    note = page.get_by_test_id("design.pairs.text")
    expect(note).to_have_text(re.compile(r"^\d+ of \d+ pairs below AA\.$"))
    count = note.inner_text().split()[0]
    expect(page.get_by_test_id("design.summary")).to_contain_text(f", {count} pair")


def test_a_conflicting_save_loses_no_change(browsers, apps_foyer):
    browsers.expect_status(409, f"/storyboard/{APP}/tokens")
    before = apps_foyer.sheet.read_text()
    page = open_tokens(browsers, apps_foyer)
    type_text_color(page, "#203040")
    apps_foyer.sheet.write_text(before + "\n/* by somebody else */\n:root { --ink: #405060 }\n")
    page.get_by_test_id("design.save").click()
    expect(page.get_by_test_id("design.note")).to_contain_text("changed since")
    expect(page.get_by_test_id("design.saved.ink")).to_have_text("Saved: #405060")
    expect(page.get_by_test_id("design.value.ink")).to_have_value("#203040")
    assert "#203040" not in apps_foyer.sheet.read_text()
    page.get_by_test_id("design.save").click()
    expect(page.get_by_test_id("design.note")).to_contain_text("1 value saved")
    after = apps_foyer.sheet.read_text()
    assert "#203040" in after and "by somebody else" in after
    apps_foyer.sheet.write_text(before)


def test_an_invalid_value_is_rejected_with_its_tokens_name(browsers, apps_foyer):
    browsers.expect_status(422, f"/storyboard/{APP}/tokens")
    before = apps_foyer.sheet.read_text()
    page = open_tokens(browsers, apps_foyer)
    type_text_color(page, "red; } body { display: none")
    page.get_by_test_id("design.save").click()
    expect(page.get_by_test_id("design.error.ink")).to_contain_text("--ink")
    assert apps_foyer.sheet.read_text() == before


def test_a_preview_works_without_scripts(browsers, apps_foyer):
    before = apps_foyer.sheet.read_text()
    page = open_tokens(browsers, apps_foyer, java_script_enabled=False)
    type_text_color(page, "#304050")
    page.get_by_test_id("design.preview").click()
    assert "--ink=%23304050" in page.url
    expect(page.get_by_test_id("design.value.ink")).to_have_value("#304050")
    expect(page.get_by_test_id("design.note")).to_contain_text("Not saved yet")
    page.get_by_test_id("design.discard").click()
    expect(page.get_by_test_id("design.value.ink")).not_to_have_value("#304050")
    assert apps_foyer.sheet.read_text() == before


def test_the_tokens_are_exported_as_css_and_json(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob/tokens")
    page.get_by_test_id("design.export").click()
    with page.expect_download() as css:
        page.get_by_test_id("design.css").click()
    assert css.value.suggested_filename == "bob.css"
    assert ":root {" in css.value.path().read_text()
    with page.expect_download() as tokens:
        page.get_by_test_id("design.json").click()
    assert tokens.value.suggested_filename == "bob.tokens.json"
    exported = json.loads(tokens.value.path().read_text())
    assert exported["light"]["color"]["$type"] == "color"
    assert exported["dark"]["color"]["page"]["$value"]["hex"] == "#000000"


# test_states checks the wide page.
def test_axe_finds_nothing_on_the_narrow_page(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob/tokens")
    expect(page.get_by_test_id("design.state")).to_have_text("No changes")
    looking.examine(browsers, page, "design-tokens", [(390, 844)])
