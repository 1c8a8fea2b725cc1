"""The studio's inspector: tokens, storage, requests and mails, updated live."""

import re

import acting
import looking
import pytest
from playwright.sync_api import expect


def open_studio(page, foyer):
    """Opens the studio of a device that is signed in."""
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")
    return view


def test_an_expired_token_is_refreshed_silently(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    view = open_studio(page, foyer)
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    acting.cold_start(page)

    # The page shows without a reload: 401, the refresh, the repeated call.
    statuses = page.get_by_test_id("exchanges.status")
    expect(statuses.filter(has_text="401").first).to_be_visible()
    expect(page.locator("#tokens .countdown-expired")).to_have_count(0)
    acting.expect_signed_in(view, email)
    assert len(acting.exchanges(foyer, device, "refresh")) == 1
    last = acting.exchanges(foyer, device)[:3]
    assert [(e["call"], e["status"]) for e in reversed(last)] == [
        ("me", 401),
        ("refresh", 200),
        ("me", 200),
    ]


def test_an_unknown_refresh_token_ends_the_session(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    view = open_studio(page, foyer)
    foyer.api(
        "PUT", app_path + "/storage/mystica_refresh_token", {"value": "rt_never_given_by_anybody"}
    )
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()
    acting.cold_start(page)
    acting.expect_screen(view, "login")
    expect(view.get_by_test_id("login.error")).to_have_text("Session expired. Please login again.")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()


def test_a_token_is_verified_and_its_countdown_ticks(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    verdict = page.locator("#tokens [data-testid$='.verdict']").first
    expect(verdict).to_contain_text("Valid signature")
    countdown = page.locator("#tokens [data-remaining]").first
    before = countdown.inner_text()
    assert re.match(r"\d+(:\d\d)+$", before)
    expect(countdown).not_to_have_text(before)


def test_a_stored_value_is_shown_edited_and_deleted(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    open_studio(page, foyer)
    key = "mystica_user_id"
    value = foyer.api("GET", f"{app_path}/storage/{key}")["value"]

    page.get_by_test_id(f"storage.{key}.reveal").click()
    expect(page.get_by_test_id(f"storage.{key}.unmasked")).to_have_text(value)
    page.get_by_test_id(f"storage.{key}.hide").click()
    expect(page.get_by_test_id(f"storage.{key}.unmasked")).to_have_count(0)

    page.get_by_test_id(f"storage.{key}.edit").click()
    expect(page.get_by_test_id("storage.edit.value")).to_have_value(value)
    page.get_by_test_id("storage.edit.value").fill("somebody-else")
    page.get_by_test_id("storage.edit.save").click()
    page.get_by_test_id(f"storage.{key}.reveal").click()
    expect(page.get_by_test_id(f"storage.{key}.unmasked")).to_have_text("somebody-else")
    assert foyer.api("GET", f"{app_path}/storage/{key}")["value"] == "somebody-else"

    page.get_by_test_id(f"storage.{key}.edit").click()
    page.get_by_test_id("storage.edit.delete").click()
    expect(page.get_by_test_id(f"storage.{key}")).to_have_count(0)


def test_a_dialog_shows_its_validation_error(browsers, foyer):
    page = browsers.device(foyer)
    page.goto(f"{foyer.base}/studio/mystica")
    with page.expect_navigation(url="**/studio/mystica*"):
        page.get_by_test_id("studio.backend.local").check()
    browsers.expect_status(422, "/studio/mystica/backend")
    browsers.expect_status(404, "/studio/mystica/(clear-unknown|relaunched)")
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.backend.edit").click()
    dialog = page.locator("dialog")
    address = dialog.get_by_test_id("backend.base")
    address.fill("http://example.com/v1")
    dialog.get_by_test_id("backend.save").click()
    expect(address).to_have_attribute("aria-invalid", "true")
    expect(address).to_be_focused()
    expect(address).to_have_value("http://example.com/v1")
    expect(dialog.get_by_role("alert")).to_contain_text("https")
    # The page is still the studio, and accepts a valid value.
    expect(acting.phone(page).locator("body[data-screen]")).to_be_attached()
    address.fill("https://example.com/v1")
    dialog.get_by_test_id("backend.save").click()
    expect(page.get_by_test_id("studio.base")).to_have_text("example.com/v1")
    # An error that belongs to no field.
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.clear").click()
    dialog.locator("form").evaluate("form => { form.action += '-unknown' }")
    dialog.get_by_test_id("confirm.yes").click()
    expect(dialog.get_by_test_id("dialog.error")).to_be_visible()
    dialog.get_by_test_id("confirm.no").click()
    expect(dialog).to_have_count(0)
    # An error of one of the studio's own buttons.
    relaunch = page.get_by_test_id("studio.relaunch")
    relaunch.evaluate("button => { button.form.action += 'ed' }")
    relaunch.click()
    expect(page.get_by_test_id("problem.text")).to_be_visible()
    page.get_by_test_id("problem.close").click()
    expect(relaunch).to_be_focused()


def test_clearing_the_storage_signs_the_device_out(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    view = open_studio(page, foyer)
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.clear").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
    acting.cold_start(page)
    acting.expect_screen(view, "login")


def test_force_quit_and_relaunch_keeps_the_storage(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    view = open_studio(page, foyer)
    page.get_by_test_id("studio.launches").click()
    page.get_by_test_id("studio.kill").click()
    acting.expect_signed_in(view, email)


def refresh_by_api(page, foyer, part):
    """Refreshes the session with the API, and waits until the page has fetched `part`."""
    device = acting.device_of(page, foyer)
    app_path = f"/api/devices/{device}/apps/mystica"
    session = foyer.api("GET", app_path)["session"]["id"]
    with page.expect_response(f"**part=*{part}*") as response:
        foyer.api("POST", f"/api/sessions/{session}/refresh")
    response.value.finished()
    acting.wait_for_frame(page)


def test_a_menu_stays_open_during_live_updates(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    page.get_by_test_id("studio.launches").click()
    refresh_by_api(page, foyer, "actions")
    page.get_by_test_id("studio.kill").click()
    acting.expect_screen(acting.phone(page), "map")


def test_a_button_is_not_replaced_while_it_is_pressed(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    page.get_by_test_id("studio.expire").hover()
    page.mouse.down()
    refresh_by_api(page, foyer, "actions")
    page.mouse.up()
    expect(page.locator("#tokens .countdown-expired").first).to_be_visible()


def test_an_update_waits_until_the_mouse_button_is_released(browsers, foyer, person):
    page, _, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    # The marked element is gone as soon as the part is replaced.
    marked = page.locator("#tokens [data-old]")
    page.locator("#tokens h2").evaluate("title => title.dataset.old = ''")
    page.locator("#tokens h2").hover()
    page.mouse.down()
    refresh_by_api(page, foyer, "tokens")
    expect(marked).to_have_count(1)
    page.mouse.up()
    expect(marked).to_have_count(0)


def test_the_lists_show_activity_of_another_device(browsers, foyer, person):
    watcher = browsers.device(foyer)
    pages = {}
    for name in ["traffic", "sessions", "mailbox"]:
        pages[name] = watcher.context.new_page()
        pages[name].goto(f"{foyer.base}/{name}")
    totals = {
        name: acting.number(page.get_by_test_id(f"{name}.total").first.inner_text())
        for name, page in pages.items()
    }

    email, password = person()
    other = browsers.device(foyer)
    acting.start(other, foyer)
    acting.register(other, email, password)
    acting.expect_screen(other, "verify")

    for page in pages.values():
        page.bring_to_front()
    pages["mailbox"].bring_to_front()
    expect(pages["mailbox"].get_by_test_id("mailbox.row").filter(has_text=email)).to_be_visible()
    expect(pages["sessions"].get_by_test_id("sessions.row").filter(has_text=email)).to_be_visible()
    expect(
        pages["traffic"].get_by_test_id("traffic.row").filter(has_text="/auth/register").first
    ).to_be_visible()
    for name, page in pages.items():
        total = page.get_by_test_id(f"{name}.total").first
        expect(total).not_to_have_text(re.compile(f"^{totals[name]}\\b"))


def test_a_session_page_shows_the_history_and_refreshes(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    page.goto(foyer.base + "/sessions")
    page.get_by_test_id("sessions.row").filter(has_text=email).get_by_role("link").first.click()
    expect(page.get_by_test_id("session.user")).to_contain_text(email)
    expect(page.get_by_test_id("session.state")).to_contain_text("active", ignore_case=True)
    history = page.get_by_test_id("session.history")
    expect(history).to_have_count(1)
    page.get_by_test_id("session.refresh").click()
    expect(history).to_have_count(2)
    expect(history.first).to_contain_text("Refreshed")
    device = acting.device_of(page, foyer)
    assert len(acting.exchanges(foyer, device, "refresh")) == 1


def test_an_exchange_and_its_copies_contain_no_secret(browsers, foyer, person):
    page, email, password = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    [login] = acting.exchanges(foyer, device, "login")
    page.goto(f"{foyer.base}/traffic/{login['id']}")
    body = page.get_by_test_id("exchange.request.body")
    expect(body).to_contain_text(email)
    assert password not in page.content()
    har = page.evaluate(
        "id => fetch(`/api/exchanges/${id}?format=har`).then(a => a.text())", login["id"]
    )
    curl = page.evaluate(
        "id => fetch(`/api/exchanges/${id}?format=curl`).then(a => a.text())", login["id"]
    )
    assert '"log"' in har and curl.startswith("curl ")
    assert password not in har + curl
    token = foyer.api("GET", f"/api/devices/{device}/apps/mystica/storage/mystica_access_token")[
        "value"
    ]
    assert token not in har + curl + page.content()


def test_a_mail_is_sandboxed_in_its_frame(page, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    mail = foyer.mail(email)
    page.goto(f"{foyer.base}/mailbox/{mail['id']}")
    frame = page.get_by_test_id("mail.html")
    sandbox = frame.get_attribute("sandbox")
    assert sandbox is not None
    assert "allow-scripts" not in sandbox
    assert "allow-same-origin" not in sandbox


def test_the_home_page_shows_the_state_of_an_app(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    page.goto(foyer.base + "/")
    expect(page.get_by_test_id("home.app.mystica.state")).to_be_visible()
    page.get_by_test_id("home.app.mystica.open").click()
    acting.expect_screen(acting.phone(page), "map")


def test_the_studios_phone_follows_a_relaunch_by_the_api(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    open_studio(page, foyer)
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    expect(page.get_by_test_id("studio.state.current")).to_have_text("login", ignore_case=True)
    acting.expect_screen(acting.phone(page), "login")


def test_a_page_catches_up_after_losing_the_event_stream(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    device = acting.device_of(page, foyer)
    page.context.set_offline(True)
    for error in ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED"):
        browsers.expect_network_error(error, "/api/events")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    page.context.set_offline(False)
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible(timeout=20_000)


def test_a_part_that_failed_to_load_is_requested_again(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    open_studio(page, foyer)
    device = acting.device_of(page, foyer)
    failed = []

    def fail_the_first(route):
        if failed:
            return route.continue_()
        failed.append(route.request.url)
        route.abort("connectionreset")

    page.route(re.compile("part=[a-z,]*storage"), fail_the_first)
    browsers.expect_network_error("ERR_CONNECTION_RESET", "/studio/mystica")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
    assert failed


@pytest.mark.parametrize(("app", "screen"), [("mystica", "login"), ("bob", "onboarding")])
def test_section_links_stay_in_view_on_a_phone(browsers, foyer, app, screen):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/studio/{app}")
    acting.expect_screen(acting.phone(page), screen)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    link = page.locator(".section-links").get_by_role("link", name="State")
    assert link.evaluate("""link => {
        const box = link.getBoundingClientRect();
        return link.contains(document.elementFromPoint(
            box.x + box.width / 2, box.y + box.height / 2));
    }""")
    link.click()
    assert page.locator("#state").evaluate("""part =>
        Math.abs(part.getBoundingClientRect().top
            - document.querySelector(".section-links").getBoundingClientRect().bottom)
        < 8""")


def test_a_long_path_is_truncated_and_nothing_scrolls_sideways(browsers, foyer, standin, person):
    address, password = person()
    page = browsers.device(foyer)
    page.goto(foyer.base + "/studio/mystica")
    device = acting.device_of(page, foyer)
    prefix = "/a-rather-long-path" * 8
    acting.use_backend(foyer, device, standin.url + prefix)
    view = acting.studio(page, foyer)
    acting.login(view, address, password)
    row = page.get_by_test_id("exchanges.row").first
    path = row.locator(".truncate")
    expect(path).to_have_text("/auth/login")
    # A path is shown relative to the backend's base URL, and in full for another backend.
    acting.use_backend(foyer, device, standin.url)
    page.reload()
    expect(path).to_have_text(prefix + "/auth/login")
    for width in [320, 390, 820, 1024, 1280]:
        looking.check_fits(page, "studio", width, 900)
        assert path.evaluate("path => path.scrollWidth > path.clientWidth")
        for cell in row.locator("td").all():
            box = cell.bounding_box()
            assert not box or box["x"] + box["width"] <= width
