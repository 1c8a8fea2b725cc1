"""What a person does with Mystica, in words.

`view` is a page at /apps/mystica/, or the phone's frame in the studio.
"""

import json
import re

from playwright.sync_api import expect


def start(page, foyer, app="mystica"):
    page.goto(f"{foyer.base}/apps/{app}/")
    return page


def relaunch(page, foyer, app="mystica"):
    """A cold start, then the app's own address; its splash is over."""
    foyer.api("POST", f"/api/devices/{device_of(page, foyer)}/apps/{app}/relaunch")
    return start(page, foyer, app)


def relaunch_in_studio(page, foyer, app="mystica"):
    """The studio's button without scripts, then the app's own address."""
    studio(page, foyer, app)
    page.get_by_test_id("studio.relaunch").click()
    return start(page, foyer, app)


def cold_start(page):
    """The studio's button, until its phone has left the screen it showed."""
    with page.expect_event("framenavigated", lambda frame: frame != page.main_frame):
        page.get_by_test_id("studio.relaunch").click()


def phone(page):
    """The frame in which the studio shows the app."""
    return page.frame_locator("[data-testid='studio.phone']")


def studio(page, foyer, app="mystica"):
    page.goto(f"{foyer.base}/studio/{app}")
    return phone(page)


def arrive(view, screen):
    """Waits until the view stands on a screen, with its looks and scripts."""
    expect(view.locator(f"body[data-screen='{screen}']")).to_have_js_property(
        "ownerDocument.readyState", "complete"
    )


# The page itself tells how it rests: while its next one is awaited, nothing
# can be asked of it from outside.
RESTING = """name => addEventListener('submit', ({target}) => setTimeout(() => {
    const button = document.querySelector(`[data-testid='${name}']`);
    const rests = where => [...where.querySelectorAll('button, input')].filter(
        one => one.type !== 'hidden').every(one => one.matches(':disabled'));
    const seen = one => one?.checkVisibility({visibilityProperty: true}) ?? false;
    console.log(JSON.stringify({
        busy: target.getAttribute('aria-busy'),
        rests: rests(target),
        pageRests: rests(document),
        spins: seen(button.querySelector('.spinner')),
        spinners: [...document.querySelectorAll('.spinner')].filter(seen).length,
        says: button.innerText.trim(),
        colour: getComputedStyle(button).backgroundColor,
        tall: button.offsetHeight,
        overlay: [...document.querySelectorAll('[data-testid$=".overlay"]')]
            .filter(seen).map(one => one.textContent.trim()).join(),
    }));
}, 300), {once: true})"""


def press_twice(page, name, server):
    """Double-clicks a button whose server is silent; how the form rests meanwhile."""
    button = page.get_by_test_id(name)
    expect(button).to_be_enabled()
    # Its script is there.
    page.wait_for_load_state("load")
    page.evaluate(RESTING, name)
    server.hold()
    calls = len(server.calls)
    with page.expect_console_message() as told:
        button.dblclick(no_wait_after=True)
    assert server.wait_for(calls + 1)
    server.release()
    return json.loads(told.value.text)


def painted(page):
    """Waits for the style sheets: before them nothing has its size."""
    page.wait_for_load_state("load")


def resize(page, width, height):
    """Another window, and what it shows laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    resized, size = "([w, h]) => innerWidth === w && innerHeight === h", [width, height]
    # To wait is to wait for a frame.
    if not page.evaluate(resized, size):
        page.wait_for_function(resized, arg=size)


def drawn(page):
    """Waits until what the page was told is drawn."""
    page.evaluate("""() => new Promise(
        (done) => requestAnimationFrame(() => setTimeout(done)))""")


def settled(page):
    """Brings what moves to its end, but for what never ends."""
    # Transitions begin with the next frame.
    drawn(page)
    page.evaluate("""() => {
        const moving = () => document.getAnimations().filter(
            one => one.playState !== 'finished'
                && one.effect.getComputedTiming().endTime !== Infinity);
        for (let all; (all = moving()).length;) all.forEach(one => one.finish());
    }""")


# Whether the focus can be seen, on the control or on what surrounds it.
RING = """() => {
    const here = document.activeElement;
    return [here, here.closest('.field-box, .card')].some(one => {
        const style = one && getComputedStyle(one);
        return style && (style.outlineStyle !== 'none'
            || style.boxShadow !== 'none');
    });
}"""


# The same where the control itself has to have an outline.
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"


def tab_to(page, name, ring=RING):
    """Presses Tab until the control has the focus, and shows it."""
    for _ in range(30):
        if name == page.evaluate("document.activeElement?.dataset.testid ?? ''"):
            assert page.evaluate(ring), f"{name} does not show its focus"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {name}")


def fill(view, screen, email, password):
    arrive(view, screen)
    view.get_by_test_id(f"{screen}.email").fill(email)
    view.get_by_test_id(f"{screen}.password").fill(password)


def register(view, email, password):
    arrive(view, "login")
    view.get_by_test_id("login.tab.register").click()
    fill(view, "register", email, password)
    view.get_by_test_id("register.submit").click()


def login(view, email, password):
    fill(view, "login", email, password)
    view.get_by_test_id("login.submit").click()


def signed_in(view, email):
    """The map is shown, and it is this person's."""
    arrive(view, "map")
    expect(view.get_by_test_id("map.email")).to_have_text(email)


def logout(view):
    view.get_by_test_id("map.settings").click()
    arrive(view, "settings")
    view.get_by_test_id("settings.logout").click()
    view.get_by_test_id("settings.logout.confirm").click()
    arrive(view, "login")


def player(visitors, foyer, person, **options):
    """A device where a new person has signed in, standing on the map."""
    email, password = person()
    foyer.account(email, password)
    page = visitors.device(foyer, **options)
    device = device_of(page, foyer)
    foyer.submit("/apps/mystica/splash/launch", {}, device)
    foyer.submit("/apps/mystica/login/submit", {"email": email, "password": password}, device)
    page.goto(foyer.base + "/apps/mystica/map")
    signed_in(page, email)
    return page, email, password


def device_of(page, foyer):
    """The id of this browser's device, wherever its page stands."""
    return page.request.get(foyer.base + "/api/devices/current").json()["id"]


def exchanges(foyer, device, call=None):
    """What left this device, newest first."""
    path = f"/api/exchanges?device={device}&limit=500"
    if call:
        path += f"&call={call}"
    return foyer.api("GET", path)["items"]


def speak_to(foyer, device, url, app="mystica"):
    """Points the app at another backend."""
    foyer.api("PATCH", f"/api/devices/{device}/apps/{app}", {"backend": "local", "base": url})


def number(text):
    return int(re.sub(r"\D", "", text) or 0)


def pointed(page, foyer, standin, app="mystica"):
    """The app on this device, talking to the stand-in."""
    device = device_of(page, foyer)
    speak_to(foyer, device, standin.url, app)
    start(page, foyer, app)
    return device
