"""The accessibility page, compared with the browser, axe and the pixels of the same screens."""

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
from conftest import save_picture
from foyer import ROOT, Foyer
from playwright.sync_api import expect

COPY = "harbour"

MEASURE = """async address => {
    const { measure, makeMeasuringFrame } = await import('/assets/accessibility/measure.js');
    const frame = makeMeasuringFrame({ width: 390, height: 844 });
    const state = await measure(frame, address);
    frame.remove();
    return state;
}"""


@pytest.fixture(scope="module")
def apps_foyer(tmp_path_factory):
    """A foyer with a copy of an app; `sheet` is the copy's style sheet."""
    folder = tmp_path_factory.mktemp("accessibility")
    copy = folder / COPY
    shutil.copytree(ROOT / "templates/apps/mystica", copy)
    shutil.copytree(ROOT / "Public/apps/mystica", copy / "public")
    server = Foyer("accessibility", ["--apps", str(folder)])
    server.sheet = copy / "public" / "app.css"
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def open_page(browsers, apps_foyer, app, query="", **options):
    page = browsers.device(apps_foyer, **options)
    page.goto(f"{apps_foyer.base}/storyboard/{app}/accessibility{query}")
    return page


def state(page, name):
    return page.get_by_test_id(f"audit.state.{name}")


def measured_row(page, name):
    row = state(page, name)
    row.scroll_into_view_if_needed()
    expect(row.get_by_test_id("audit.verdict")).to_have_text(
        re.compile("[Ff]inding|Unreachable"), timeout=60_000
    )
    return row


def with_details(row):
    details = row.get_by_test_id("audit.details")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    return row


def findings(row, kind):
    return row.locator(f"li[data-kind='{kind}']")


def test_the_tab_order_lists_names_and_roles(browsers, foyer):
    page = open_page(browsers, foyer, "mystica", "?screen=login")
    row = measured_row(page, "login.default")
    stops = row.get_by_test_id("audit.stop")
    expect(stops).to_have_count(6)
    texts = [" ".join(text.split()) for text in stops.all_inner_texts()]
    assert texts[0].startswith("Login, button, current page")
    assert texts[1].startswith("Register, button")
    assert texts[2].startswith("Email address, text field, required")
    assert texts[3].startswith("Password, secure text field, required")
    assert texts[4].startswith("Show password, button")
    assert texts[5].startswith("Login, button Double tap to login")
    assert texts[5].endswith("321 × 48")
    expect(row.get_by_test_id("audit.verdict")).to_have_text("No findings")
    save_picture(page, "accessibility-login")


def test_names_match_the_browsers_accessibility_tree(browsers, foyer):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/storyboard/mystica/accessibility")
    tile = page.context.new_page()
    tree = page.context.new_cdp_session(tile)
    for app, state_path in [
        ("mystica", "login/default"),
        ("mystica", "settings/confirm.logout"),
        ("bob", "register/default"),
        ("wall", "login/error.email"),
        ("socoto", "signup/default"),
        ("clarity", "register/default"),
    ]:
        address = f"{foyer.base}/storyboard/{app}/{state_path}/frame"
        measured = page.evaluate(MEASURE, address)
        tile.goto(address)
        nodes = [
            node
            for node in in_document_order(tree.send("Accessibility.getFullAXTree")["nodes"])
            if not node["ignored"]
            and has_property(node, "focusable")
            and not has_property(node, "disabled")
            and node["role"]["value"] != "RootWebArea"
        ]
        stops = [(entry["name"], entry["description"]) for entry in measured["stops"]]
        browser_stops = [
            (node_text(node, "name"), node_text(node, "description")) for node in nodes
        ]
        # Only one of several radio buttons is a tab stop.
        assert [entry for entry in browser_stops if entry in stops] == stops, (app, state_path)
        read = [entry for entry in measured["reading"] if entry.get("id")]
        ids = {entry["id"] for entry in read} | {""}
        assert {entry["id"] for entry in measured["stops"]} <= ids, (app, state_path)
        radios = sum(node["role"]["value"] == "radio" for node in nodes)
        assert len(browser_stops) - len(stops) in (0, max(0, radios - 1)), (app, state_path)


def node_text(node, name):
    return " ".join(node.get(name, {}).get("value", "").split())


def has_property(node, name):
    return any(
        property_["name"] == name and property_["value"].get("value")
        for property_ in node.get("properties", [])
    )


def in_document_order(nodes):
    """The nodes of the browser's accessibility tree in document order."""
    by_id = {node["nodeId"]: node for node in nodes}

    def below(node):
        yield node
        for child in node.get("childIds", []):
            if child in by_id:
                yield from below(by_id[child])

    return list(below(nodes[0]))


def test_contrast_agrees_with_axe_and_with_the_pixels(browsers, foyer):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/storyboard/mystica/accessibility")
    tile = page.context.new_page()
    for app, state_path in [
        ("mystica", "login/default"),
        ("clarity", "register/default"),
        ("wall", "login/default"),
        ("bob", "login/default"),
        ("socoto", "signup/default"),
    ]:
        address = f"{foyer.base}/storyboard/{app}/{state_path}/frame?appearance=light"
        texts = page.evaluate(MEASURE, address)["texts"]
        tile.goto(address)
        report = Axe().run(tile, options={"runOnly": ["color-contrast"]})
        nodes = [
            node
            for kind in ["passes", "violations"]
            for rule in report.response[kind]
            for node in rule["nodes"]
        ]
        # axe measures a field's placeholder, and takes a text shadow for the background.
        checks = [node["any"][0]["data"] for node in nodes if not node["html"].startswith("<input")]
        ratios = [text["ratio"] for text in texts if "ratio" in text]
        for data in checks:
            # axe does not see gradients drawn by pseudo-elements.
            if app in ["bob", "socoto"] or data.get("shadowColor"):
                continue
            if data.get("contrastRatio"):
                assert any(abs(data["contrastRatio"] - ratio) < 0.1 for ratio in ratios), (
                    app,
                    data,
                )
        pixels = contrast.contrasts_by_text(tile)
        compared = 0
        for text in texts:
            drawn = pixels.get(text["text"][:40], [])
            if "ratio" not in text or len(drawn) != 1:
                continue
            assert abs(drawn[0] - text["ratio"]) < 0.3, (app, text, drawn)
            compared += 1
        assert compared > 2, app


def test_small_targets_and_low_contrast_are_reported_with_values(browsers, apps_foyer):
    before = apps_foyer.sheet.read_text()
    apps_foyer.sheet.write_text(
        before
        + """
        .button-primary { width: 60px; min-height: 0; height: 30px; padding: 0 }
        main h1.title.title { color: #999; background: #fff; font-size: 17px;
            font-weight: 400; text-shadow: none }
        """
    )
    try:
        page = open_page(browsers, apps_foyer, COPY, "?screen=login")
        row = measured_row(page, "login.default")
        target = findings(row, "target").filter(has_text="login.submit")
        expect(target).to_contain_text("is 60 × 30, less than 44 × 44")
        expect(target).to_contain_text("min-height")
        text = findings(row, "text").filter(has_text="“Mystica”")
        expect(text).to_contain_text("has 2.84:1, needs 4.5")
        expect(text).to_contain_text("#999999 on #ffffff")
        expect(text).to_contain_text("Use #767676")

        # The clickable area extends beyond the visible button to the size a finger needs.
        apps_foyer.sheet.write_text(
            before
            + """
            .button-primary { position: relative; width: 60px; min-height: 0;
                height: 30px; padding: 0 }
            .button-primary::after { content: ''; position: absolute;
                inset: -8px }"""
        )
        # Foyer checks a file for changes five times a second.
        sheet = f"{apps_foyer.base}/assets/apps/{COPY}/app.css"
        deadline = time.monotonic() + 15
        while "inset: -8px" not in page.request.get(sheet).text():
            assert time.monotonic() < deadline, "the old sheet stays"
        page.reload()
        row = measured_row(page, "login.default")
        expect(findings(row, "target").filter(has_text="login.submit")).to_have_count(0)
        expect(findings(row, "text")).to_have_count(0)
    finally:
        apps_foyer.sheet.write_text(before)


def test_a_nameless_control_and_an_unannounced_error_are_reported(browsers, apps_foyer):
    folder = apps_foyer.sheet.parent.parent
    template = folder / "login.mustache"
    before = template.read_text()
    template.write_text(
        (folder / "parts/credentials.mustache").read_text().replace("{{>screens/failure}}", "")
        + "<button type='button'><svg></svg></button>"
    )
    try:
        page = open_page(browsers, apps_foyer, COPY, "?screen=login")
        row = measured_row(page, "login.default")
        expect(findings(row, "name")).to_contain_text("A button has no name")
        row = measured_row(page, "login.offline.submit")
        expect(findings(row, "announcement")).to_contain_text("no alert with text")
    finally:
        template.write_text(before)


def test_an_error_is_announced_and_linked_to_its_field(browsers, foyer):
    page = open_page(browsers, foyer, "bob", "?screen=login")
    row = with_details(measured_row(page, "login.error.email"))
    announcement = row.get_by_test_id("audit.announced")
    expect(announcement).to_contain_text("Please enter a valid email address”, immediately")
    stop = row.get_by_test_id("audit.stop").filter(has_text="Email")
    expect(stop).to_contain_text("invalid")
    expect(stop).to_contain_text("Please enter a valid email address")
    expect(findings(row, "announcement")).to_have_count(0)
    expect(row.get_by_test_id("audit.reading")).to_contain_text("heading 1")


def test_a_confirmation_is_reported_as_a_dialog_with_the_focus(browsers, foyer):
    page = open_page(browsers, foyer, "mystica", "?screen=settings")
    row = with_details(measured_row(page, "settings.confirm.logout"))
    announcement = row.get_by_test_id("audit.announced")
    expect(announcement).to_contain_text("alert dialog, takes the focus")
    expect(announcement).to_contain_text("Focus")
    # Controls below the dialog are no tab stops.
    names = " ".join(row.get_by_test_id("audit.stop").all_inner_texts())
    assert "Back" not in names


def test_an_unreachable_state_is_reported_and_affects_no_other(browsers, foyer):
    page = open_page(browsers, foyer, "bob", "?screen=login")
    row = measured_row(page, "login.failure.login.2")
    expect(row.get_by_test_id("audit.verdict")).to_have_text("Unreachable")
    expect(row).to_contain_text("never responded to login with 400")
    measured_row(page, "login.default")


def test_a_broken_tile_shows_its_error_and_affects_no_other(browsers, apps_foyer):
    browsers.expect_status(500, rf"/storyboard/{COPY}/login/[\w.-]+/frame")
    template = apps_foyer.sheet.parent.parent / "login.mustache"
    before = template.read_text()
    template.write_text(before + "{{#nobody}}")
    try:
        page = open_page(browsers, apps_foyer, COPY)
        row = state(page, "login.default")
        row.scroll_into_view_if_needed()
        expect(row.get_by_test_id("audit.verdict")).to_have_text("Check failed")
        expect(row).to_contain_text("login.mustache:")
        measured_row(page, "splash.default")
        # States that could not be measured are not counted as checked.
        page.goto(f"{apps_foyer.base}/storyboard/{COPY}/accessibility?screen=login")
        total = page.locator("[data-state]").count()
        page.get_by_test_id("audit.all").click()
        progress = page.get_by_test_id("audit.progress")
        expect(progress).to_contain_text(
            re.compile(
                rf"^\d of {total} states checked on .*, "
                r"\d+ failed$"
            ),
            timeout=120_000,
        )
        # An export contains the other states, and the errors of these.
        page.goto(f"{apps_foyer.base}/storyboard/{COPY}/export")
        expect(page.locator("header")).to_contain_text("broken")
        expect(page.locator(".shot.failure").first).to_contain_text("login.mustache:")
        assert page.locator("iframe[srcdoc]").count() > 1
    finally:
        template.write_text(before)


def test_the_dark_appearance_is_remeasured_and_part_of_the_url(browsers, foyer):
    page = open_page(browsers, foyer, "bob", "?screen=login")
    title_contrast = (
        with_details(measured_row(page, "login.default"))
        .get_by_test_id("audit.ratio")
        .filter(has_text="Bob the Builder")
    )
    expect(title_contrast).to_contain_text("#000000 on")
    page.get_by_test_id("audit.appearance.dark").click()
    expect(page).to_have_url(re.compile("screen=login&appearance=dark"))
    expect(page.get_by_test_id("audit.progress")).to_contain_text("dark")
    with_details(measured_row(page, "login.default"))
    expect(title_contrast).to_contain_text("#ffffff on")
    page.reload()
    with_details(measured_row(page, "login.default"))
    expect(title_contrast).to_contain_text("#ffffff on")
    page.go_back()
    with_details(measured_row(page, "login.default"))
    expect(title_contrast).to_contain_text("#000000 on")


def test_findings_are_counted_filtered_and_exported(browsers, foyer):
    page = open_page(browsers, foyer, "wall", "?screen=login")
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
    finding = page.get_by_test_id("audit.distinct").locator("li").first
    expect(finding).to_contain_text("login.email")
    expect(finding).to_contain_text("more")

    page.get_by_test_id("audit.export").click()
    with page.expect_download() as table:
        page.get_by_test_id("audit.csv").click()
    lines = list(csv.DictReader(io.StringIO(table.value.path().read_text())))
    assert table.value.suggested_filename == "wall-accessibility.csv"
    assert {line["kind"] for line in lines} == {"Non-text"}
    page.get_by_test_id("audit.export").click()
    with page.expect_download() as file:
        page.get_by_test_id("audit.json").click()
    report = json.loads(file.value.path().read_text())
    assert len(report["states"]) == total
    assert report["states"][0]["stops"][0]["box"]["width"] > 0


def test_a_large_text_size_is_remeasured(browsers, foyer):
    page = open_page(browsers, foyer, "mystica", "?screen=login&text=accessibilityLarge")
    stop = measured_row(page, "login.default").get_by_test_id("audit.stop").last
    size = re.search(r"([\d.]+) × ([\d.]+)", stop.inner_text())
    assert float(size[2]) > 48


def test_every_state_has_a_link_without_scripts(browsers, foyer):
    page = open_page(browsers, foyer, "mystica", java_script_enabled=False)
    expect(page.get_by_test_id("audit.noscript")).to_contain_text("needs JavaScript")
    expect(page.get_by_test_id("audit.all")).to_be_hidden()
    links = page.get_by_test_id("audit.link")
    assert links.count() > 20
    links.first.click()
    expect(page.get_by_test_id("state.title")).to_have_text("splash, Default")


def test_the_page_fits_its_window_and_axe_finds_nothing(browsers, foyer):
    page = open_page(browsers, foyer, "wall", "?screen=login")
    with_details(measured_row(page, "login.default"))
    for windows in looking.CONSOLE_WINDOWS:
        looking.examine(browsers, page, "accessibility", windows)
