"""The controls below the phone: orientation, appearance, size, text size and backend."""

import contextlib
import itertools
import shutil

import acting
import bob
import looking
import pytest
from conftest import save_picture
from playwright.sync_api import expect

SIZES = {
    "iphone15": (393, 852),
    "iphonese": (375, 667),
    "iphone15promax": (430, 932),
    "iphone16promax": (440, 956),
    "android": (412, 915),
    "ipad": (820, 1180),
}


def control(page, name):
    return page.get_by_test_id(f"studio.{name}")


@contextlib.contextmanager
def wait_for_device_update(page):
    """Waits until the page has updated its device part."""
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
    """Sets a control as a user does, and waits until the page shows it."""
    with wait_for_device_update(page):
        if name in ("orientation", "appearance", "build"):
            control(page, f"{name}.{value}").check()
        else:
            control(page, name).select_option(value)


def expect_viewport(page, size):
    """Waits until the app's viewport has this size."""
    page.wait_for_function(
        """([width, height]) => {
        const view = document.getElementById('phone-frame').contentWindow;
        return view.innerWidth === width && view.innerHeight === height;
    }""",
        arg=list(size),
    )


def expect_appearance(view, name, app):
    """Waits until a screen has this appearance, dark or light."""
    expect(view.locator(f"html.{name}")).to_be_attached()
    # White text on black, or black text on white.
    color = "rgb(255, 255, 255)" if name == "dark" else "rgb(0, 0, 0)"
    expect(view.locator("body")).to_have_css("color", color)


def test_a_rotated_device_stays_rotated_after_a_reload(page, foyer):
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "login")
    for size in SIZES:
        if size != "iphone15":
            choose(page, "size", size)
        expect_viewport(page, SIZES[size])
        # The input stays: only the frame's size changes.
        view.get_by_test_id("login.email").fill(f"{size}@way.example")
        choose(page, "orientation", "landscape")
        expect_viewport(page, SIZES[size][::-1])
        expect(view.get_by_test_id("login.email")).to_have_value(f"{size}@way.example")
        page.reload()
        expect(control(page, "orientation.landscape")).to_be_checked()
        acting.expect_screen(view, "login")
        expect_viewport(page, SIZES[size][::-1])
        choose(page, "orientation", "portrait")
        expect_viewport(page, SIZES[size])
    choose(page, "orientation", "landscape")
    device = acting.device_of(page, foyer)
    assert foyer.api("GET", f"/api/devices/{device}")["orientation"] == "landscape"


@pytest.mark.parametrize("size", ["iphone15", "iphone16promax", "android", "ipad"])
def test_a_landscape_device_fits_the_studio_at_every_width(browsers, foyer, size):
    page = browsers.device(foyer, reduced_motion="reduce")
    acting.studio(page, foyer)
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"size": size, "orientation": "landscape"})
    expect_viewport(page, SIZES[size][::-1])
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
        looking.check_fits(page, size, width, height)
        phone = page.locator(".phone").bounding_box()
        stage = page.locator(".preview-area").bounding_box()
        assert phone["x"] >= stage["x"], width
        assert phone["x"] + phone["width"] <= stage["x"] + stage["width"]
        controls = page.locator(".device").bounding_box()
        assert controls["x"] >= stage["x"], width
        assert controls["x"] + controls["width"] <= (stage["x"] + stage["width"]), width
        if width >= 1200:
            # The page does not scroll; the inspector has enough height and scrolls by itself.
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert page.locator(".inspector").bounding_box()["height"] > 200
    looking.examine(browsers, page, f"studio-landscape-{size}", [(1440, 900)])


def test_a_portrait_device_and_its_controls_fit_without_scrolling(page, foyer):
    acting.expect_screen(acting.studio(page, foyer), "login")
    for has_pending_kill in [False, True]:
        if has_pending_kill:
            control(page, "launches").click()
            control(page, "kill.next").click()
            expect(control(page, "kills")).to_be_visible()
        for size in SIZES:
            if has_pending_kill or size != "iphone15":
                choose(page, "size", size)
            expect_viewport(page, SIZES[size])
            for height in [650, 720, 800, 850, 900, 960, 1080]:
                acting.resize(page, 1280, height)
                scrolls = page.evaluate("""() => [
                    document.documentElement, document.querySelector('.page'),
                    document.querySelector('.preview-area')
                ].map((box) => box.scrollHeight - box.clientHeight)""")
                assert scrolls == [0, 0, 0], (size, height, has_pending_kill)
                stage = page.locator(".preview-area").bounding_box()
                controls = page.locator(".device").bounding_box()
                assert controls["y"] + controls["height"] <= (stage["y"] + stage["height"]), (
                    size,
                    height,
                    has_pending_kill,
                )
                phone = page.locator(".phone").bounding_box()
                assert phone["y"] + phone["height"] <= controls["y"]


FIRST_SCREEN = {"bob": "onboarding", "wall": "landing", "clarity": "login"}
BACKGROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(25, 25, 24)"}


@pytest.mark.parametrize(
    "app, console, phone",
    [("bob", "light", "dark"), ("wall", "light", "dark"), ("clarity", "dark", "light")],
)
def test_a_device_has_its_own_appearance(browsers, foyer, app, console, phone):
    page = browsers.device(foyer, color_scheme=console)
    view = acting.studio(page, foyer, app)
    acting.expect_screen(view, FIRST_SCREEN[app])
    color = "rgb(255, 255, 255)" if console == "dark" else "rgb(0, 0, 0)"
    expect(view.locator("body")).to_have_css("color", color)
    choose(page, "appearance", phone)
    expect_appearance(view, phone, app)
    expect(page.locator("body")).to_have_css("background-color", BACKGROUND[console])
    expect(page.locator(f".phone-on-{phone}")).to_be_attached()
    save_picture(page, f"{app}-{phone}-in-{console}")
    # The appearance also applies in a separate tab, with sufficient contrast.
    page.goto(f"{foyer.base}/apps/{app}/{FIRST_SCREEN[app]}")
    expect_appearance(page, phone, app)
    looking.check_axe(browsers, page)
    # "System" follows the browser's appearance again.
    view = acting.studio(page, foyer, app)
    choose(page, "appearance", "system")
    expect(view.locator("html.system")).to_be_attached()
    expect(view.locator("body")).to_have_css("color", color)


@pytest.mark.parametrize("app", ["mystica", "mystica-instant", "socoto"])
def test_an_app_with_one_appearance_keeps_it(browsers, foyer, app):
    page = browsers.device(foyer, color_scheme="light")
    acting.studio(page, foyer, app)
    choose(page, "appearance", "light")
    page.goto(f"{foyer.base}/apps/{app}/")
    expect(page.locator("html.dark")).to_be_attached()


def test_device_changes_made_by_the_api_show_in_the_studio(browsers, foyer):
    page = browsers.device(foyer)
    view = bob.studio(page, foyer)
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", f"/api/devices/{device}", {"orientation": "landscape"})
    expect(control(page, "orientation.landscape")).to_be_checked()
    acting.expect_screen(view, "login")
    expect_viewport(page, SIZES["iphone15"][::-1])
    # A new name does not reload the device's screen, and its input stays.
    view.get_by_test_id("login.email").fill("half@way.example")
    navigations = page.evaluate_handle("""() => {
        const left = { times: 0 };
        document.getElementById('phone-frame').contentWindow.navigation
            .addEventListener('navigate', () => { left.times += 1; });
        return left;
    }""")
    with wait_for_device_update(page):
        foyer.api("PATCH", f"/api/devices/{device}", {"label": "Mine"})
    assert navigations.evaluate("left => left.times") == 0
    expect(view.get_by_test_id("login.email")).to_have_value("half@way.example")


def test_the_controls_work_without_scripts(browsers, foyer):
    page = browsers.device(foyer, java_script_enabled=False)
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


def test_the_controls_work_by_keyboard(page, foyer):
    bob.studio(page, foyer)

    def press(name, key):
        control(page, name).focus()
        with wait_for_device_update(page):
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


def test_a_device_scroll_bar_takes_no_width(chromium, foyer):
    # Playwright hides scroll bars by default.
    browser = chromium.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=["--no-sandbox", "--disable-gpu"],
        ignore_default_args=["--hide-scrollbars"],
    )
    try:
        page = browser.new_page()
        page.goto(foyer.entrance)
        view = bob.studio(page, foyer)
        choose(page, "size", "iphonese")
        choose(page, "textSize", "accessibilityLarge")
        expect(view.locator("html.text-accessibilityLarge")).to_be_attached()
        acting.expect_screen(view, "login")
        expect_viewport(page, SIZES["iphonese"])
        widths = """(page) => [innerWidth - page.clientWidth,
                               page.scrollHeight > page.clientHeight]"""
        assert view.locator("html").evaluate(widths) == [0, True]
        for address, frame in [
            ("storyboard/bob?screen=register&size=iphonese", ".phone-screen iframe"),
            ("storyboard/bob/register/default?size=iphonese", ".phone-screen iframe"),
            ("storyboard/bob/copy?screen=register", "[data-preview-frame]"),
            ("walkthrough/bob/register?sizes=three", ".walkthrough-other-sizes iframe"),
        ]:
            page.goto(f"{foyer.base}/{address}")
            root = page.frame_locator(frame).first.locator("html.framed")
            assert root.evaluate(widths)[0] == 0, address
        # Only the phone hides it: the same screen outside the studio has a scroll bar.
        acting.start(page, foyer, "bob")
        acting.expect_screen(page, "login")
        acting.resize(page, 375, 400)
        assert page.locator("html").evaluate(widths)[0] > 0
    finally:
        browser.close()


def test_two_devices_have_separate_displays(browsers, foyer):
    first, second = browsers.device(foyer), browsers.device(foyer)
    acting.studio(first, foyer)
    choose(first, "orientation", "landscape")
    acting.studio(second, foyer)
    expect(control(second, "orientation.portrait")).to_be_checked()
    expect(control(first, "orientation.landscape")).to_be_checked()


def test_a_newer_device_change_replaces_a_pending_choice(browsers, foyer):
    page = browsers.device(foyer)
    acting.studio(page, foyer)
    device = acting.device_of(page, foyer)
    expect(page.get_by_test_id("live").first).to_have_text("Live")
    size = page.get_by_test_id("studio.size")
    # A choice that was not sent yet when another change arrives.
    size.evaluate("select => { select.value = 'ipad' }")
    foyer.api("PATCH", f"/api/devices/{device}", {"size": "iphone15promax"})
    expect(size).to_have_value("iphone15promax")


@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("app, backend", [("clarity", "cognito"), ("bob", "builder-api")])
def test_backend_choices_overlap_nothing_at_any_width(page, foyer, app, backend, signed_in):
    acting.studio(page, foyer, app)
    if signed_in:
        with page.expect_response("**part=*actions*"):
            control(page, "seed").click()
        expect(page.get_by_test_id("studio.tokens.none")).to_have_count(0)
        expect(control(page, "expire")).to_be_attached()
    expect(page.get_by_test_id("live").last).to_have_text("Live")
    chip, choice = page.locator(".backend-chip"), control(page, f"backend.{backend}")
    for width in [390, 620, 820, 1024, 1200, 1280, 1440, 1600, 1680]:
        acting.resize(page, width, 900)
        if not choice.is_visible():
            if not chip.is_visible():
                control(page, "devices").click()
                chip = control(page, "backend.show")
            chip.click()
            page.keyboard.press("Escape")
        expect(choice).to_be_visible()
        boxes = page.locator(".studio-bar").evaluate(BUTTON_BOXES)
        assert len(boxes) >= 8, width
        for a, b in itertools.combinations(boxes, 2):
            # Half a pixel is rounding; the selected segment overlaps by its border.
            is_beside = a["right"] <= b["left"] + 3 or b["right"] <= a["left"] + 3
            assert is_beside or a["bottom"] <= b["top"] + 3 or b["bottom"] <= a["top"] + 3, (a, b)
        choice.click(trial=True)
    with page.expect_navigation(url=f"**/studio/{app}*"):
        choice.click()
    expect(choice).to_be_checked()


BUTTON_BOXES = """(bar) => [...bar.querySelectorAll('summary, button, label')]
    .filter((one) => one.checkVisibility({visibilityProperty: true}))
    .map((one) => one.getBoundingClientRect().toJSON())"""


def test_a_pending_kill_is_shown_and_canceled(browsers, foyer):
    page = browsers.device(foyer)
    acting.expect_screen(acting.studio(page, foyer), "login")
    pending_kill = control(page, "kills")
    expect(pending_kill).to_have_count(0)
    control(page, "launches").click()
    control(page, "kill.next").click()
    expect(pending_kill).to_have_text("Will crash on next request")
    page.reload()
    expect(pending_kill).to_be_visible()
    control(page, "kills.off").click()
    expect(pending_kill).to_have_count(0)
    control(page, "launches").click()
    control(page, "kill.next").click()
    expect(pending_kill).to_be_visible()
    control(page, "relaunch").click()
    expect(pending_kill).to_have_count(0)
