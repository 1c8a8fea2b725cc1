"""The controls below the phone: how it is held, its look, its text size."""

import contextlib
import itertools
import shutil

import acting
import looking
import pytest
from conftest import shot
from playwright.sync_api import expect

SIZES = {
    "iphone15": (390, 844),
    "iphonese": (375, 667),
    "iphone15promax": (430, 932),
    "ipad": (820, 1180),
}


def control(page, name):
    return page.get_by_test_id(f"studio.{name}")


@contextlib.contextmanager
def shown_anew(page):
    """Until the page shows what the device has become."""
    swap = page.evaluate_handle("""() => {
        const swap = { done: false };
        document.addEventListener('foyer:swapped', (event) => {
            swap.done ||= event.target.dataset.part === 'device';
        });
        return swap;
    }""")
    yield
    page.wait_for_function("swap => swap.done", arg=swap)


def choose(page, name, value):
    """What a person does with a control, until the page shows it."""
    with shown_anew(page):
        if name in ("orientation", "appearance", "build"):
            control(page, f"{name}.{value}").check()
        else:
            control(page, name).select_option(value)


def measures(page, size):
    """Waits until the app believes its screen has this size."""
    page.wait_for_function(
        """([width, height]) => {
        const view = document.getElementById('phone-frame').contentWindow;
        return view.innerWidth === width && view.innerHeight === height;
    }""",
        arg=list(size),
    )


def looks(view, name, app):
    """Waits until a screen that follows its device is dark, or light."""
    expect(view.locator(f"html.{name}")).to_be_attached()
    # White letters on black, or black ones on white.
    ink = "rgb(255, 255, 255)" if name == "dark" else "rgb(0, 0, 0)"
    expect(view.locator("body")).to_have_css("color", ink)


def test_a_phone_is_turned_and_stays_so(page, foyer):
    view = acting.studio(page, foyer)
    acting.arrive(view, "login")
    for size in SIZES:
        if size != "iphone15":
            choose(page, "size", size)
        measures(page, SIZES[size])
        # What is typed stays: only the frame is another.
        view.get_by_test_id("login.email").fill(f"{size}@way.example")
        choose(page, "orientation", "landscape")
        measures(page, SIZES[size][::-1])
        expect(view.get_by_test_id("login.email")).to_have_value(f"{size}@way.example")
        page.reload()
        expect(control(page, "orientation.landscape")).to_be_checked()
        acting.arrive(view, "login")
        measures(page, SIZES[size][::-1])
        choose(page, "orientation", "portrait")
        measures(page, SIZES[size])
    choose(page, "orientation", "landscape")
    device = acting.device_of(page, foyer)
    assert foyer.api("GET", f"/api/devices/{device}")["orientation"] == "landscape"


@pytest.mark.parametrize("size", ["iphone15", "iphone15promax", "ipad"])
def test_the_studio_holds_a_phone_on_its_side_at_every_width(visitors, foyer, size):
    page = visitors.device(foyer, reduced_motion="reduce")
    acting.studio(page, foyer)
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"size": size, "orientation": "landscape"})
    measures(page, SIZES[size][::-1])
    for width, height in [
        (320, 640),
        (390, 844),
        (600, 900),
        (820, 1180),
        (1024, 768),
        (1200, 800),
        (1280, 800),
        (1440, 900),
    ]:
        looking.fits(page, size, width, height)
        phone = page.locator(".phone").bounding_box()
        stage = page.locator(".stage").bounding_box()
        assert phone["x"] >= stage["x"], width
        assert phone["x"] + phone["width"] <= stage["x"] + stage["width"]
        controls = page.locator(".device").bounding_box()
        assert controls["x"] >= stage["x"], width
        assert controls["x"] + controls["width"] <= (stage["x"] + stage["width"]), width
        if width >= 1200:
            # The page stands; the inspector has room and scrolls alone.
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert page.locator(".inspector").bounding_box()["height"] > 200
    looking.examine(visitors, page, f"studio-landscape-{size}", [(1440, 900)])


def test_the_upright_phone_and_its_controls_stand_without_scrolling(page, foyer):
    acting.arrive(acting.studio(page, foyer), "login")
    for kills in [False, True]:
        if kills:
            control(page, "more").click()
            control(page, "kill.next").click()
            expect(control(page, "kills")).to_be_visible()
        for size in SIZES:
            if kills or size != "iphone15":
                choose(page, "size", size)
            measures(page, SIZES[size])
            for height in [650, 720, 800, 850, 900, 960, 1080]:
                acting.resize(page, 1280, height)
                scrolls = page.evaluate("""() => [
                    document.documentElement, document.querySelector('.page'),
                    document.querySelector('.stage')
                ].map((box) => box.scrollHeight - box.clientHeight)""")
                assert scrolls == [0, 0, 0], (size, height, kills)
                stage = page.locator(".stage").bounding_box()
                controls = page.locator(".device").bounding_box()
                assert controls["y"] + controls["height"] <= (stage["y"] + stage["height"]), (
                    size,
                    height,
                    kills,
                )
                phone = page.locator(".phone").bounding_box()
                assert phone["y"] + phone["height"] <= controls["y"]


FIRST = {"bob": "login", "wall": "landing", "clarity": "login"}
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(25, 25, 24)"}


@pytest.mark.parametrize(
    "app, console, phone",
    [("bob", "light", "dark"), ("wall", "light", "dark"), ("clarity", "dark", "light")],
)
def test_a_phone_has_an_appearance_of_its_own(visitors, foyer, app, console, phone):
    page = visitors.device(foyer, color_scheme=console)
    view = acting.studio(page, foyer, app)
    acting.arrive(view, FIRST[app])
    ink = "rgb(255, 255, 255)" if console == "dark" else "rgb(0, 0, 0)"
    expect(view.locator("body")).to_have_css("color", ink)
    choose(page, "appearance", phone)
    looks(view, phone, app)
    expect(page.locator("body")).to_have_css("background-color", PAPER[console])
    expect(page.locator(f".phone-on-{phone}")).to_be_attached()
    shot(page, f"{app}-{phone}-in-{console}")
    # In a tab of its own too, and the words can be read.
    page.goto(f"{foyer.base}/apps/{app}/{FIRST[app]}")
    looks(page, phone, app)
    looking.axe(visitors, page)
    # And as the browser has it again.
    view = acting.studio(page, foyer, app)
    choose(page, "appearance", "system")
    expect(view.locator("html.system")).to_be_attached()
    expect(view.locator("body")).to_have_css("color", ink)


@pytest.mark.parametrize("app", ["mystica", "mystica-instant", "socoto"])
def test_an_app_with_one_look_keeps_it(visitors, foyer, app):
    page = visitors.device(foyer, color_scheme="light")
    acting.studio(page, foyer, app)
    choose(page, "appearance", "light")
    page.goto(f"{foyer.base}/apps/{app}/")
    expect(page.locator("html.dark")).to_be_attached()


def test_another_tab_and_a_test_change_the_phone_that_is_looked_at(visitors, foyer):
    page = visitors.device(foyer)
    view = acting.studio(page, foyer, "bob")
    acting.arrive(view, "login")
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"orientation": "landscape"})
    expect(control(page, "orientation.landscape")).to_be_checked()
    acting.arrive(view, "login")
    measures(page, (844, 390))
    # A new name is no new phone: its screen is not loaded again, and what is
    # typed on it stays.
    view.get_by_test_id("login.email").fill("half@way.example")
    left = page.evaluate_handle("""() => {
        const left = { times: 0 };
        document.getElementById('phone-frame').contentWindow.navigation
            .addEventListener('navigate', () => { left.times += 1; });
        return left;
    }""")
    with shown_anew(page):
        foyer.api("PATCH", f"/api/devices/{device}", {"label": "Mine"})
    assert left.evaluate("left => left.times") == 0
    expect(view.get_by_test_id("login.email")).to_have_value("half@way.example")


def test_the_controls_work_without_scripts(visitors, foyer):
    page = visitors.device(foyer, java_script_enabled=False)
    page.goto(foyer.base + "/studio/bob")
    control(page, "orientation.landscape").check()
    control(page, "appearance.dark").check()
    control(page, "textSize").select_option("large")
    control(page, "device.submit").click()
    expect(control(page, "orientation.landscape")).to_be_checked()
    expect(control(page, "appearance.dark")).to_be_checked()
    expect(control(page, "textSize")).to_have_value("large")
    expect(page.locator(".phone-landscape")).to_be_visible()
    expect(acting.phone(page).locator("html.dark.text-large")).to_be_attached()


def test_the_controls_are_used_by_keyboard(page, foyer):
    view = acting.studio(page, foyer, "bob")
    acting.arrive(view, "login")

    def press(name, key):
        control(page, name).focus()
        with shown_anew(page):
            page.keyboard.press(key)

    press("orientation.portrait", "ArrowRight")
    expect(control(page, "orientation.landscape")).to_be_checked()
    press("appearance.system", "ArrowLeft")
    expect(control(page, "appearance.dark")).to_be_checked()
    press("textSize", "ArrowDown")
    expect(control(page, "textSize")).to_have_value("large")
    for name in ["orientation.landscape", "appearance.dark"]:
        control(page, name).focus()
        outline = (
            control(page, name)
            .locator("xpath=..")
            .evaluate("e => getComputedStyle(e).outlineStyle")
        )
        assert outline != "none"


def test_a_phone_has_no_scroll_bar_that_takes_width(chromium, foyer):
    # Playwright's own browsers hide them everywhere.
    browser = chromium.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=["--no-sandbox", "--disable-gpu"],
        ignore_default_args=["--hide-scrollbars"],
    )
    try:
        page = browser.new_page()
        page.goto(foyer.entrance)
        view = acting.studio(page, foyer, "bob")
        acting.arrive(view, "login")
        choose(page, "size", "iphonese")
        choose(page, "textSize", "accessibilityLarge")
        expect(view.locator("html.text-accessibilityLarge")).to_be_attached()
        acting.arrive(view, "login")
        measures(page, SIZES["iphonese"])
        widths = """(page) => [innerWidth - page.clientWidth,
                               page.scrollHeight > page.clientHeight]"""
        assert view.locator("html").evaluate(widths) == [0, True]
        # It is the phone's: the same screen by itself has one.
        acting.start(page, foyer, "bob")
        acting.arrive(page, "login")
        acting.resize(page, 375, 400)
        assert page.locator("html").evaluate(widths)[0] > 0
    finally:
        browser.close()


def test_two_devices_have_displays_of_their_own(visitors, foyer):
    one, two = visitors.device(foyer), visitors.device(foyer)
    acting.studio(one, foyer)
    choose(one, "orientation", "landscape")
    acting.studio(two, foyer)
    expect(control(two, "orientation.portrait")).to_be_checked()
    expect(control(one, "orientation.landscape")).to_be_checked()


def test_what_the_device_became_meanwhile_beats_an_older_choice(visitors, foyer):
    page = visitors.device(foyer)
    acting.studio(page, foyer)
    device = acting.device_of(page, foyer)
    expect(page.get_by_test_id("live").first).to_have_text("Live")
    size = page.get_by_test_id("studio.size")
    # Chosen, and not heard of yet when another one comes.
    size.evaluate("select => { select.value = 'ipad' }")
    foyer.api("PATCH", f"/api/devices/{device}", {"size": "iphone15promax"})
    expect(size).to_have_value("iphone15promax")


@pytest.mark.parametrize("signed_in", [False, True])
def test_many_backends_stand_beside_nothing_else_at_every_width(page, foyer, signed_in):
    acting.studio(page, foyer, "clarity")
    if signed_in:
        with page.expect_response("**part=actions"):
            control(page, "seed").click()
        expect(page.get_by_test_id("studio.tokens.none")).to_have_count(0)
        expect(control(page, "expire")).to_be_attached()
    expect(page.get_by_test_id("live")).to_have_text(["Live", "Live"])
    chip, cognito = page.locator(".backend-chip"), control(page, "backend.cognito")
    for width in [390, 620, 820, 1024, 1200, 1280, 1440]:
        acting.resize(page, width, 900)
        if chip.is_visible() and not cognito.is_visible():
            chip.click()
        expect(cognito).to_be_visible()
        boxes = page.locator(".studio-bar").evaluate(BUTTONS)
        assert len(boxes) >= 8, width
        for a, b in itertools.combinations(boxes, 2):
            # Half a pixel is rounding; the chosen segment overlaps by a line.
            across = a["right"] <= b["left"] + 3 or b["right"] <= a["left"] + 3
            assert across or a["bottom"] <= b["top"] + 3 or b["bottom"] <= a["top"] + 3, (a, b)
        cognito.click(trial=True)
    with page.expect_navigation(url="**/studio/clarity*"):
        cognito.click()
    expect(cognito).to_be_checked()


BUTTONS = """(bar) => [...bar.querySelectorAll('summary, button, label')]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => one.getBoundingClientRect().toJSON())"""


def test_a_kill_that_waits_is_shown_and_called_off(visitors, foyer):
    page = visitors.device(foyer)
    acting.arrive(acting.studio(page, foyer), "login")
    waits = control(page, "kills")
    expect(waits).to_have_count(0)
    control(page, "more").click()
    control(page, "kill.next").click()
    expect(waits).to_have_text("Killed in the next submit")
    page.reload()
    expect(waits).to_be_visible()
    control(page, "kills.off").click()
    expect(waits).to_have_count(0)
    control(page, "more").click()
    control(page, "kill.next").click()
    expect(waits).to_be_visible()
    control(page, "relaunch").click()
    expect(waits).to_have_count(0)
