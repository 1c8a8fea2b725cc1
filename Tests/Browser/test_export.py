"""A storyboard in one file: it opens anywhere and holds every state."""

import re

import pytest
from playwright.sync_api import expect

from test_tiles import APPS, states


@pytest.mark.parametrize("app", APPS)
def test_one_file_holds_every_state_and_opens_offline(
        visitors, foyer, tmp_path, app):
    page = visitors.device(foyer)
    # States nobody reaches are looked for first.
    answer = page.request.get(
        f"{foyer.base}/storyboard/{app}/export?download=1", timeout=300_000)
    assert answer.ok
    assert answer.headers["content-disposition"] == (
        f'attachment; filename="{app}-storyboard.html"')
    text = answer.text()
    assert "/assets/" not in text
    assert "<script" not in text and "&lt;script" not in text
    file = tmp_path / "storyboard.html"
    file.write_text(text)

    asked = []
    alone = visitors.device(foyer, key=False, offline=True)
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.get_by_test_id("export.tile")).to_have_count(
        len(states(foyer, app)))
    lost = alone.locator(".lost").count()
    frames = alone.locator("iframe")
    expect(frames).to_have_count(len(states(foyer, app)) - lost)
    expect(alone.frame_locator("iframe").first.locator(
        "body[data-screen]")).to_be_attached()
    assert [url for url in asked
            if not re.match("file:|data:|about:", url)] == []


def test_what_is_exported_is_what_the_sheet_shows(visitors, foyer):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/storyboard/bob?size=ipad&appearance=dark")
    page.get_by_test_id("storyboard.export").click()
    link = page.get_by_test_id("storyboard.export.open")
    expect(link).to_have_attribute(
        "href", "/storyboard/bob/export?size=ipad&appearance=dark")
    link.click(timeout=120_000)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Bob the Builder storyboard")
    frame = page.locator("iframe").first
    expect(frame).to_have_attribute("width", "820")
    expect(page.frame_locator("iframe").first.locator(
        "html.dark")).to_be_attached()
    page.get_by_label("One screen a page").check()
    page.emulate_media(media="print")
    tile = page.get_by_test_id("export.tile").first
    assert tile.evaluate("it => getComputedStyle(it).breakBefore") == "page"
