"""User actions in Mystica.

`view` is a page at /apps/mystica/, or the phone's frame in the studio.
"""

import json
import re

from playwright.sync_api import expect


def start(page, foyer, app="mystica"):
    page.goto(f"{foyer.base}/apps/{app}/")
    return page


def relaunch(page, foyer, app="mystica"):
    """Cold-starts the app, then opens its own address, past the splash."""
    foyer.api("POST", f"/api/devices/{device_of(page, foyer)}/apps/{app}/relaunch")
    return start(page, foyer, app)


def relaunch_in_studio(page, foyer, app="mystica"):
    """Cold-starts the app with the studio's button, without scripts, then opens its own address."""
    studio(page, foyer, app)
    page.get_by_test_id("studio.relaunch").click()
    return start(page, foyer, app)


def cold_start(page):
    """Presses the studio's relaunch button and waits until its phone has left the screen."""
    with page.expect_event("framenavigated", lambda frame: frame != page.main_frame):
        page.get_by_test_id("studio.relaunch").click()


def phone(page):
    """The frame in which the studio shows the app."""
    return page.frame_locator("[data-testid='studio.phone']")


def studio(page, foyer, app="mystica"):
    page.goto(f"{foyer.base}/studio/{app}")
    return phone(page)


def expect_screen(view, screen):
    """Waits until the view shows a screen, with its style sheets and scripts loaded."""
    expect(view.locator(f"body[data-screen='{screen}']")).to_have_js_property(
        "ownerDocument.readyState", "complete"
    )


# The page itself reports the state of its form: Playwright cannot evaluate anything in it while a
# navigation is pending.
FORM_STATE = """name => addEventListener('submit', ({target}) => setTimeout(() => {
    const button = document.querySelector(`[data-testid='${name}']`);
    const isDisabled = part => [...part.querySelectorAll('button, input')].filter(
        control => control.type !== 'hidden').every(control => control.matches(':disabled'));
    const isVisible = part => part?.checkVisibility({visibilityProperty: true}) ?? false;
    console.log(JSON.stringify({
        busy: target.getAttribute('aria-busy'),
        disabled: isDisabled(target),
        pageDisabled: isDisabled(document),
        spinning: isVisible(button.querySelector('.spinner')),
        spinners: [...document.querySelectorAll('.spinner')].filter(isVisible).length,
        label: button.innerText.trim(),
        color: getComputedStyle(button).backgroundColor,
        height: button.offsetHeight,
        overlay: [...document.querySelectorAll('[data-testid$=".overlay"]')]
            .filter(isVisible).map(part => part.textContent.trim()).join(),
    }));
}, 300), {once: true})"""


def press_twice(page, name, server):
    """Double-clicks a button and returns the form's state while the server does not respond."""
    button = page.get_by_test_id(name)
    expect(button).to_be_enabled()
    # Wait for its script.
    page.wait_for_load_state("load")
    page.evaluate(FORM_STATE, name)
    server.hold()
    calls = len(server.calls)
    with page.expect_console_message() as message:
        button.dblclick(no_wait_after=True)
    assert server.wait_for(calls + 1)
    server.release()
    return json.loads(message.value.text)


def wait_for_styles(page):
    """Waits for the style sheets: elements have no final size before."""
    page.wait_for_load_state("load")


def resize(page, width, height):
    """Resizes the window, and waits until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    resized, size = "([w, h]) => innerWidth === w && innerHeight === h", [width, height]
    # Waiting takes at least one animation frame.
    if not page.evaluate(resized, size):
        page.wait_for_function(resized, arg=size)


def wait_for_frame(page):
    """Waits until the page has drawn pending changes."""
    page.evaluate("""() => new Promise(
        (done) => requestAnimationFrame(() => setTimeout(done)))""")


def finish_animations(page):
    """Finishes all animations and transitions that have an end."""
    # Transitions begin with the next frame.
    wait_for_frame(page)
    page.evaluate("""() => {
        const running = () => document.getAnimations().filter(
            animation => animation.playState !== 'finished'
                && animation.effect.getComputedTiming().endTime !== Infinity);
        for (let all; (all = running()).length;) all.forEach(animation => animation.finish());
    }""")


# Whether the focus is visible, on the control or on the box around it.
FOCUS_STYLE = """() => {
    const control = document.activeElement;
    return [control, control.closest('.field-box, .card')].some(part => {
        const style = part && getComputedStyle(part);
        return style && (style.outlineStyle !== 'none'
            || style.boxShadow !== 'none');
    });
}"""


# The same, for apps where the control itself must have an outline.
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"


def tab_to(page, name, focus_style=FOCUS_STYLE):
    """Presses Tab until the control has the focus, and shows it."""
    for _ in range(30):
        if name == page.evaluate("document.activeElement?.dataset.testid ?? ''"):
            assert page.evaluate(focus_style), f"{name} does not show its focus"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {name}")


def fill(view, screen, email, password):
    expect_screen(view, screen)
    view.get_by_test_id(f"{screen}.email").fill(email)
    view.get_by_test_id(f"{screen}.password").fill(password)


def register(view, email, password):
    expect_screen(view, "login")
    view.get_by_test_id("login.tab.register").click()
    fill(view, "register", email, password)
    view.get_by_test_id("register.submit").click()


def login(view, email, password):
    fill(view, "login", email, password)
    view.get_by_test_id("login.submit").click()


def expect_signed_in(view, email):
    """Expects the map of this user."""
    expect_screen(view, "map")
    expect(view.get_by_test_id("map.email")).to_have_text(email)


def logout(view):
    view.get_by_test_id("map.settings").click()
    expect_screen(view, "settings")
    view.get_by_test_id("settings.logout").click()
    view.get_by_test_id("settings.logout.confirm").click()
    expect_screen(view, "login")


def signed_in_device(browsers, foyer, person, **options):
    """A new device where a new user has signed in, on the map."""
    email, password = person()
    foyer.account(email, password)
    page = browsers.device(foyer, **options)
    device = device_of(page, foyer)
    foyer.submit("/apps/mystica/splash/launch", {}, device)
    foyer.submit("/apps/mystica/login/submit", {"email": email, "password": password}, device)
    page.goto(foyer.base + "/apps/mystica/map")
    expect_signed_in(page, email)
    return page, email, password


def device_of(page, foyer):
    """The id of this browser's device, from any page of foyer."""
    return page.request.get(foyer.base + "/api/devices/current").json()["id"]


def exchanges(foyer, device, call=None):
    """The exchanges of this device, newest first."""
    path = f"/api/exchanges?device={device}&limit=500"
    if call:
        path += f"&call={call}"
    return foyer.api("GET", path)["items"]


def use_backend(foyer, device, url, app="mystica"):
    """Points the app at another backend."""
    foyer.api("PATCH", f"/api/devices/{device}/apps/{app}", {"backend": "local", "base": url})


def number(text):
    return int(re.sub(r"\D", "", text) or 0)


def start_with_backend(page, foyer, standin, app="mystica"):
    """Starts the app on this device with the stand-in as its backend."""
    device = device_of(page, foyer)
    use_backend(foyer, device, standin.url, app)
    start(page, foyer, app)
    return device
