"""The accessibility sheet: what each state is to somebody who does not see it.

What it measures is held against what the browser itself, axe and the pixels
say of the same screens. What is wrong on purpose is wrong in a copy of an app.
"""

import csv
import io
import json
import re
import shutil
import time

import contrast
import looking
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import shot
from foyer import ROOT, Foyer
from playwright.sync_api import expect

COPY = "harbour"

MEASURE = """async address => {
    const { measure, stage } = await import('/assets/accessibility/measure.js');
    const frame = stage({ width: 390, height: 844 });
    const state = await measure(frame, address);
    frame.remove();
    return state;
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A foyer with a copy of an app, and the sheet it wears."""
    folder = tmp_path_factory.mktemp("accessibility")
    own = folder / COPY
    shutil.copytree(ROOT / "templates/apps/mystica", own)
    shutil.copytree(ROOT / "Public/apps/mystica", own / "public")
    server = Foyer("accessibility", ["--apps", str(folder)])
    server.sheet = own / "public" / "app.css"
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def open_sheet(visitors, house, app, query="", **options):
    page = visitors.device(house, **options)
    page.goto(f"{house.base}/storyboard/{app}/accessibility{query}")
    return page


def state(page, name):
    return page.get_by_test_id(f"audit.state.{name}")


def looked_at(page, name):
    """The state's row once it was measured."""
    row = state(page, name)
    row.scroll_into_view_if_needed()
    expect(row.get_by_test_id("audit.verdict")).to_have_text(
        re.compile("found|finding|not reachable"), timeout=60_000
    )
    return row


def opened(row):
    """The same with all of it shown."""
    details = row.get_by_test_id("audit.details")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    return row


def findings(row, kind):
    return row.locator(f"li[data-kind='{kind}']")


def test_the_tab_keys_order_is_told_with_names_and_roles(visitors, foyer):
    page = open_sheet(visitors, foyer, "mystica", "?screen=login")
    row = looked_at(page, "login.default")
    stops = row.get_by_test_id("audit.stop")
    expect(stops).to_have_count(6)
    told = [" ".join(text.split()) for text in stops.all_inner_texts()]
    assert told[0].startswith("Login, button, current page")
    assert told[1].startswith("Register, button")
    assert told[2].startswith("Email address, text field, required")
    assert told[3].startswith("Password, secure text field, required")
    assert told[4].startswith("Show password, button")
    assert told[5].startswith("Login, button Double tap to login")
    assert told[5].endswith("318 × 48")
    expect(row.get_by_test_id("audit.verdict")).to_have_text("nothing found")
    shot(page, "accessibility-login")


def test_the_browser_calls_everything_the_same(visitors, foyer):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/storyboard/mystica/accessibility")
    tile = page.context.new_page()
    tree = page.context.new_cdp_session(tile)
    for app, at in [
        ("mystica", "login/default"),
        ("mystica", "settings/confirm.logout"),
        ("bob", "register/default"),
        ("wall", "login/error.email"),
        ("socoto", "signup/default"),
        ("clarity", "register/default"),
    ]:
        address = f"{foyer.base}/storyboard/{app}/{at}/frame"
        measured = page.evaluate(MEASURE, address)
        tile.goto(address)
        known = [
            node
            for node in in_order(tree.send("Accessibility.getFullAXTree")["nodes"])
            if not node["ignored"]
            and holds(node, "focusable")
            and not holds(node, "disabled")
            and node["role"]["value"] != "RootWebArea"
        ]
        ours = [(one["name"], one["description"]) for one in measured["stops"]]
        theirs = [(words(node, "name"), words(node, "description")) for node in known]
        # Of radio buttons one is a stop.
        assert [one for one in theirs if one in ours] == ours, (app, at)
        read = [one for one in measured["reading"] if one.get("id")]
        ids = {one["id"] for one in read} | {""}
        assert {one["id"] for one in measured["stops"]} <= ids, (app, at)
        radios = sum(node["role"]["value"] == "radio" for node in known)
        assert len(theirs) - len(ours) in (0, max(0, radios - 1)), (app, at)


def words(node, name):
    return " ".join(node.get(name, {}).get("value", "").split())


def holds(node, name):
    return any(
        one["name"] == name and one["value"].get("value") for one in node.get("properties", [])
    )


def in_order(nodes):
    """The browser's tree from the top to the bottom."""
    known = {node["nodeId"]: node for node in nodes}

    def below(node):
        yield node
        for child in node.get("childIds", []):
            if child in known:
                yield from below(known[child])

    return list(below(nodes[0]))


def test_contrast_agrees_with_axe_and_with_the_pixels(visitors, foyer):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/storyboard/mystica/accessibility")
    tile = page.context.new_page()
    for app, at in [
        ("mystica", "login/default"),
        ("clarity", "register/default"),
        ("wall", "login/default"),
        ("bob", "login/default"),
        ("socoto", "signup/default"),
    ]:
        address = f"{foyer.base}/storyboard/{app}/{at}/frame?appearance=light"
        texts = page.evaluate(MEASURE, address)["texts"]
        tile.goto(address)
        report = Axe().run(tile, options={"runOnly": ["color-contrast"]})
        nodes = [
            node
            for kind in ["passes", "violations"]
            for rule in report.response[kind]
            for node in rule["nodes"]
        ]
        # Of a field it judges what is not typed yet, and a shadow as a ground.
        judged = [node["any"][0]["data"] for node in nodes if not node["html"].startswith("<input")]
        ours = [one["ratio"] for one in texts if "ratio" in one]
        for data in judged:
            # It sees no gradient that is drawn before the page.
            if app in ["bob", "socoto"] or data.get("shadowColor"):
                continue
            if data.get("contrastRatio"):
                assert any(abs(data["contrastRatio"] - ratio) < 0.1 for ratio in ours), (app, data)
        pixels = contrast.by_words(tile)
        seen = 0
        for one in texts:
            drawn = pixels.get(one["text"][:40], [])
            if "ratio" not in one or len(drawn) != 1:
                continue
            assert abs(drawn[0] - one["ratio"]) < 0.3, (app, one, drawn)
            seen += 1
        assert seen > 2, app


def test_a_small_target_and_a_faint_text_are_told_with_their_measure(visitors, house):
    before = house.sheet.read_text()
    house.sheet.write_text(
        before
        + """
        .button-primary { width: 60px; min-height: 0; height: 30px; padding: 0 }
        main h1.title.title { color: #999; background: #fff; font-size: 17px;
            font-weight: 400; text-shadow: none }
        """
    )
    try:
        page = open_sheet(visitors, house, COPY, "?screen=login")
        row = looked_at(page, "login.default")
        target = findings(row, "target").filter(has_text="login.submit")
        expect(target).to_contain_text("is 60 × 30, less than 44 × 44")
        expect(target).to_contain_text("min-height")
        text = findings(row, "text").filter(has_text="“Mystica”")
        expect(text).to_contain_text("has 2.84 : 1, needs 4.5")
        expect(text).to_contain_text("#999999 on #ffffff")
        expect(text).to_contain_text("#767676 would do")

        # As large as a finger needs it around what is drawn.
        house.sheet.write_text(
            before
            + """
            .button-primary { position: relative; width: 60px; min-height: 0;
                height: 30px; padding: 0 }
            .button-primary::after { content: ''; position: absolute;
                inset: -8px }"""
        )
        # A file is looked at five times a second.
        sheet = f"{house.base}/assets/apps/{COPY}/app.css"
        deadline = time.monotonic() + 15
        while "inset: -8px" not in page.request.get(sheet).text():
            assert time.monotonic() < deadline, "the old sheet stays"
        page.reload()
        row = looked_at(page, "login.default")
        expect(findings(row, "target").filter(has_text="login.submit")).to_have_count(0)
        expect(findings(row, "text")).to_have_count(0)
    finally:
        house.sheet.write_text(before)


def test_a_nameless_control_and_a_silent_error_are_told(visitors, house):
    folder = house.sheet.parent.parent
    template = folder / "login.mustache"
    before = template.read_text()
    template.write_text(
        (folder / "parts/credentials.mustache").read_text().replace("{{>screens/failure}}", "")
        + "<button type='button'><svg></svg></button>"
    )
    try:
        page = open_sheet(visitors, house, COPY, "?screen=login")
        row = looked_at(page, "login.default")
        expect(findings(row, "name")).to_contain_text("A button has no name")
        row = looked_at(page, "login.offline.submit")
        expect(findings(row, "told")).to_contain_text("no alert has words")
    finally:
        template.write_text(before)


def test_an_error_is_announced_and_tied_to_its_field(visitors, foyer):
    page = open_sheet(visitors, foyer, "bob", "?screen=login")
    row = opened(looked_at(page, "login.error.email"))
    told = row.get_by_test_id("audit.announced")
    expect(told).to_contain_text("Please enter a valid email address”, at once")
    stop = row.get_by_test_id("audit.stop").filter(has_text="Email")
    expect(stop).to_contain_text("invalid")
    expect(stop).to_contain_text("Please enter a valid email address")
    expect(findings(row, "told")).to_have_count(0)
    expect(row.get_by_test_id("audit.reading")).to_contain_text("heading 1")


def test_a_question_is_told_as_a_dialog_that_takes_the_focus(visitors, foyer):
    page = open_sheet(visitors, foyer, "mystica", "?screen=settings")
    row = opened(looked_at(page, "settings.confirm.logout"))
    told = row.get_by_test_id("audit.announced")
    expect(told).to_contain_text("alert dialog, takes the focus")
    expect(told).to_contain_text("Focus")
    # What lies below the question is no stop.
    names = " ".join(row.get_by_test_id("audit.stop").all_inner_texts())
    assert "Back" not in names


def test_what_is_not_reached_says_so_and_harms_no_other(visitors, foyer):
    page = open_sheet(visitors, foyer, "bob", "?screen=login")
    row = looked_at(page, "login.failure.login.2")
    expect(row.get_by_test_id("audit.verdict")).to_have_text("not reachable")
    expect(row).to_contain_text("never answered login with 400")
    looked_at(page, "login.default")


def test_a_broken_tile_tells_its_error_and_the_others_go_on(visitors, house):
    visitors.refused(500, rf"/storyboard/{COPY}/login/[\w.-]+/frame")
    template = house.sheet.parent.parent / "login.mustache"
    before = template.read_text()
    template.write_text(before + "{{#nobody}}")
    try:
        page = open_sheet(visitors, house, COPY)
        row = state(page, "login.default")
        row.scroll_into_view_if_needed()
        expect(row.get_by_test_id("audit.verdict")).to_have_text("not measured")
        expect(row).to_contain_text("login.mustache:")
        looked_at(page, "splash.default")
        # What could not be measured has not been looked at.
        page.goto(f"{house.base}/storyboard/{COPY}/accessibility?screen=login")
        total = page.locator("[data-state]").count()
        page.get_by_test_id("audit.all").click()
        told = page.get_by_test_id("audit.progress")
        expect(told).to_contain_text(
            re.compile(
                rf"^\d of {total} states looked at on .*, "
                r"\d+ could not be measured$"
            ),
            timeout=120_000,
        )
        # An export holds the others, and says what is wrong with these.
        page.goto(f"{house.base}/storyboard/{COPY}/export")
        expect(page.locator("header")).to_contain_text("of them broken")
        expect(page.locator(".lost").first).to_contain_text("login.mustache:")
        assert page.locator("iframe[srcdoc]").count() > 1
    finally:
        template.write_text(before)


def test_the_dark_look_is_measured_anew_and_the_address_keeps_it(visitors, foyer):
    page = open_sheet(visitors, foyer, "bob", "?screen=login")
    ground = (
        opened(looked_at(page, "login.default"))
        .get_by_test_id("audit.ratio")
        .filter(has_text="Bob the Builder")
    )
    expect(ground).to_contain_text("#000000 on")
    page.get_by_test_id("audit.appearance.dark").click()
    expect(page).to_have_url(re.compile("screen=login&appearance=dark"))
    expect(page.get_by_test_id("audit.progress")).to_contain_text("dark")
    opened(looked_at(page, "login.default"))
    expect(ground).to_contain_text("#ffffff on")
    page.reload()
    opened(looked_at(page, "login.default"))
    expect(ground).to_contain_text("#ffffff on")
    page.go_back()
    opened(looked_at(page, "login.default"))
    expect(ground).to_contain_text("#000000 on")


def test_findings_are_counted_narrowed_and_taken_along(visitors, foyer):
    page = open_sheet(visitors, foyer, "wall", "?screen=login")
    total = page.locator("[data-state]").count()
    page.get_by_test_id("audit.finding.edge").click()
    expect(page).to_have_url(re.compile("finding=edge"))
    expect(page.get_by_test_id("audit.progress")).to_contain_text(
        f"{total} of {total} states", timeout=120_000
    )
    expect(state(page, "login.default")).to_be_visible()
    expect(page.get_by_test_id("audit.size.ipad")).to_have_attribute(
        "href", re.compile("finding=edge")
    )
    page.get_by_test_id("audit.finding.name").click()
    expect(page.get_by_test_id("audit.none")).to_be_visible()
    page.go_back()
    expect(state(page, "login.default")).to_be_visible()
    page.get_by_test_id("audit.finding.all").click()
    expect(page.get_by_test_id("audit.none")).to_be_hidden()
    same = page.get_by_test_id("audit.distinct").locator("li").first
    expect(same).to_contain_text("login.email")
    expect(same).to_contain_text("more")

    page.get_by_test_id("audit.export").click()
    with page.expect_download() as table:
        page.get_by_test_id("audit.csv").click()
    lines = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    assert table.value.suggested_filename == "wall-accessibility.csv"
    assert {line["kind"] for line in lines} == {"edge"}
    page.get_by_test_id("audit.export").click()
    with page.expect_download() as whole:
        page.get_by_test_id("audit.json").click()
    read = json.loads(whole.value.path().read_text())
    assert len(read["states"]) == total
    assert read["states"][0]["stops"][0]["box"]["width"] > 0


def test_large_letters_are_measured_anew(visitors, foyer):
    page = open_sheet(visitors, foyer, "mystica", "?screen=login&text=accessibilityLarge")
    stop = looked_at(page, "login.default").get_by_test_id("audit.stop").last
    size = re.search(r"([\d.]+) × ([\d.]+)", stop.inner_text())
    assert float(size[2]) > 48


def test_without_a_script_every_state_has_its_link(visitors, foyer):
    page = open_sheet(visitors, foyer, "mystica", java_script_enabled=False)
    expect(page.get_by_test_id("audit.need")).to_contain_text("needs a script")
    expect(page.get_by_test_id("audit.all")).to_be_hidden()
    links = page.get_by_test_id("audit.scene")
    assert links.count() > 20
    links.first.click()
    expect(page.get_by_test_id("scene.title")).to_have_text("splash, default")


def test_nothing_is_wider_than_the_page_and_axe_finds_nothing(visitors, foyer):
    page = open_sheet(visitors, foyer, "wall", "?screen=login")
    opened(looked_at(page, "login.default"))
    for windows in looking.CONSOLE:
        looking.examine(visitors, page, "accessibility", windows)
