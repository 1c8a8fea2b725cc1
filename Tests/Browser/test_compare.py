"""Comparing picture sets on the storyboard, and what Chromium on the server makes of it: pictures,
PDFs and accessibility findings.
"""

import json
import re
import shutil

import pytest
from conftest import save_picture
from foyer import ROOT, Foyer
from playwright.sync_api import expect

APP = "harbour"


@pytest.fixture
def app_foyer(tmp_path):
    """A foyer with a copy of a small app, whose style sheet a test changes."""
    apps = tmp_path / "apps"
    copy = apps / APP
    shutil.copytree(ROOT / "templates/apps/mystica-instant", copy)
    shutil.copytree(ROOT / "Public/apps/mystica-instant", copy / "public")
    server = Foyer("compare", ["--apps", str(apps)], home=tmp_path / "home")
    server.sheet = copy / "public" / "app.css"
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def test_what_changed_since_a_set_is_shown_with_a_slider(browsers, app_foyer):
    page = browsers.device(app_foyer)
    page.goto(f"{app_foyer.base}/storyboard/{APP}/compare")
    page.get_by_test_id("compare.name").fill("before")
    page.get_by_test_id("compare.take").click()
    page.get_by_test_id("compare.open").click(timeout=60_000)

    app_foyer.sheet.write_text(app_foyer.sheet.read_text() + ".screen-map main { opacity: .5 }")
    page.get_by_test_id("compare.current").click()
    expect(page.get_by_test_id("compare.summary")).to_have_text(
        re.compile("^1 different, [0-9]+ unchanged"), timeout=60_000
    )
    item = page.get_by_test_id("compare.item.map-default")
    expect(item).to_contain_text("pixels")
    slider = item.get_by_test_id("compare.slider")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "100 % before")
    before = item.get_by_alt_text("map, Default, before")
    assert before.evaluate("image => getComputedStyle(image).clipPath") == "inset(0px 0% 0px 0px)"
    slider.press("Home")
    assert before.evaluate("image => getComputedStyle(image).clipPath") == (
        "inset(0px 100% 0px 0px)"
    )
    save_picture(page, "compare-slider")

    page.get_by_label("Difference", exact=True).check()
    difference = item.get_by_alt_text("map, Default, pixels that differ")
    expect(difference).to_be_visible()
    expect(before).to_be_hidden()
    page.get_by_label("Side by side").check()
    expect(before).to_be_visible()
    expect(item.get_by_alt_text("map, Default, after")).to_be_visible()
    assert all(
        image.evaluate("image => image.naturalWidth") == 786
        for image in item.get_by_role("img").all()
    )


def test_without_scripts_the_pictures_are_side_by_side(browsers, app_foyer):
    page = browsers.device(app_foyer, java_script_enabled=False)
    page.goto(f"{app_foyer.base}/storyboard/{APP}/compare")
    for name in ("one", "two"):
        page.get_by_test_id("compare.name").fill(name)
        page.get_by_test_id("compare.take").click()
        # The page reloads itself until the pictures are taken.
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible(timeout=60_000)
        if name == "one":
            app_foyer.sheet.write_text(
                app_foyer.sheet.read_text() + ".screen-map main { opacity: .5 }"
            )
    page.get_by_role("link", name="one", exact=True).click()
    page.get_by_test_id("compare.after").select_option("two")
    page.get_by_test_id("compare.show").click()
    expect(page.get_by_test_id("compare.summary")).to_contain_text("1 different")
    expect(page.get_by_alt_text("map, Default, before")).to_be_visible()
    expect(page.get_by_alt_text("map, Default, after")).to_be_visible()
    expect(page.get_by_test_id("compare.slider")).to_be_hidden()
    page.wait_for_load_state("networkidle")


def test_a_state_and_the_storyboard_are_downloaded(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/mystica-instant?at=map/default")
    with page.expect_download(timeout=60_000) as download:
        page.get_by_test_id("storyboard.panel.png").click()
    assert download.value.suggested_filename == "mystica-instant-map-default.png"
    page.get_by_test_id("storyboard.export").click()
    with page.expect_download(timeout=60_000) as download:
        page.get_by_test_id("storyboard.export.pdf").click()
    assert download.value.suggested_filename == "mystica-instant-storyboard.pdf"
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    page.goto(f"{foyer.base}/storyboard/mystica-instant/map/default")
    with page.expect_download(timeout=60_000) as download:
        page.get_by_test_id("state.png").first.click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_api_has_what_the_accessibility_page_measures(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/storyboard/mystica/accessibility?screen=login")
    page.get_by_test_id("audit.all").click()
    expect(page.get_by_test_id("audit.progress")).to_contain_text("11 of 11", timeout=60_000)
    with page.expect_download(timeout=60_000) as download:
        page.get_by_test_id("audit.export").click()
        page.get_by_test_id("audit.json").click()
    exported = json.loads(download.value.path().read_text())

    # Their sizes depend on each browser's font rendering.
    def without_sizes(states):
        return [
            (
                state["state"],
                [(stop["id"], stop["name"], stop["role"]) for stop in state["stops"]],
                [(text["text"], text.get("ratio")) for text in state["texts"]],
                [finding["what"] for finding in state["findings"]],
            )
            for state in states
        ]

    measured = without_sizes(exported["states"])
    reported = foyer.api("GET", "/api/apps/mystica/accessibility?screen=login")
    assert without_sizes(reported["states"]) == measured
    one = foyer.api("GET", "/api/apps/mystica/accessibility?screen=login&state=default")
    assert without_sizes(one["states"]) == measured[:1]
