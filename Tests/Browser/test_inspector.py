"""What a phone never shows: tokens, storage and calls, live."""

import re

import acting
import looking
import pytest
from playwright.sync_api import expect


def beside(page, foyer):
    """The studio of a device that is signed in."""
    view = acting.studio(page, foyer)
    acting.arrive(view, "map")
    return view


def test_an_expired_token_is_refreshed_without_a_word(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    view = beside(page, foyer)
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    acting.cold_start(page)

    # Seen live, without a reload: 401, the refresh, the call again.
    statuses = page.get_by_test_id("exchanges.status")
    expect(statuses.filter(has_text="401").first).to_be_visible()
    expect(page.locator("#tokens .countdown-over")).to_have_count(0)
    acting.signed_in(view, email)
    assert len(acting.exchanges(foyer, device, "refresh")) == 1
    last = acting.exchanges(foyer, device)[:3]
    assert [(e["call"], e["status"]) for e in reversed(last)] == [
        ("me", 401),
        ("refresh", 200),
        ("me", 200),
    ]


def test_a_refresh_token_nobody_gave_ends_the_session(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    view = beside(page, foyer)
    foyer.api(
        "PUT", place + "/storage/mystica_refresh_token", {"value": "rt_never_given_by_anybody"}
    )
    page.get_by_test_id("studio.expire").click()
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()
    acting.cold_start(page)
    acting.arrive(view, "login")
    expect(view.get_by_test_id("login.error")).to_have_text("Session expired. Please login again.")
    expect(page.get_by_test_id("studio.tokens.none")).to_be_visible()


def test_a_token_is_verified_and_its_countdown_ticks(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    verdict = page.locator("#tokens [data-testid$='.verdict']").first
    expect(verdict).to_contain_text("verified", ignore_case=True)
    left = page.locator("#tokens [data-left]").first
    before = left.inner_text()
    assert re.match(r"\d+(:\d\d)+$", before)
    expect(left).not_to_have_text(before)


def test_a_stored_value_is_shown_edited_and_deleted(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    beside(page, foyer)
    key = "mystica_user_id"
    whole = foyer.api("GET", f"{place}/storage/{key}")["value"]

    page.get_by_test_id(f"storage.{key}.reveal").click()
    expect(page.get_by_test_id(f"storage.{key}.whole")).to_have_text(whole)
    page.get_by_test_id(f"storage.{key}.hide").click()
    expect(page.get_by_test_id(f"storage.{key}.whole")).to_have_count(0)

    page.get_by_test_id(f"storage.{key}.edit").click()
    expect(page.get_by_test_id("storage.edit.value")).to_have_value(whole)
    page.get_by_test_id("storage.edit.value").fill("somebody-else")
    page.get_by_test_id("storage.edit.save").click()
    page.get_by_test_id(f"storage.{key}.reveal").click()
    expect(page.get_by_test_id(f"storage.{key}.whole")).to_have_text("somebody-else")
    assert foyer.api("GET", f"{place}/storage/{key}")["value"] == "somebody-else"

    page.get_by_test_id(f"storage.{key}.edit").click()
    page.get_by_test_id("storage.edit.delete").click()
    expect(page.get_by_test_id(f"storage.{key}")).to_have_count(0)


def test_what_a_dialog_refuses_is_said_in_it(visitors, foyer):
    page = visitors.device(foyer)
    page.goto(f"{foyer.base}/studio/mystica")
    with page.expect_navigation(url="**/studio/mystica*"):
        page.get_by_test_id("studio.backend.local").check()
    visitors.refused(422, "/studio/mystica/backend")
    visitors.refused(404, "/studio/mystica/(forgetten|relaunched)")
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
    # Still the studio; what is right is taken.
    expect(acting.phone(page).locator("body[data-screen]")).to_be_attached()
    address.fill("https://example.com/v1")
    dialog.get_by_test_id("backend.save").click()
    expect(page.get_by_test_id("studio.base")).to_have_text("example.com/v1")
    # A problem of no field of it.
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.forget").click()
    dialog.locator("form").evaluate("form => { form.action += 'ten' }")
    dialog.get_by_test_id("confirm.yes").click()
    expect(dialog.get_by_test_id("dialog.error")).to_be_visible()
    dialog.get_by_test_id("confirm.no").click()
    expect(dialog).to_have_count(0)
    # And what a button of the studio itself is refused.
    relaunch = page.get_by_test_id("studio.relaunch")
    relaunch.evaluate("button => { button.form.action += 'ed' }")
    relaunch.click()
    expect(page.get_by_test_id("problem.text")).to_be_visible()
    page.get_by_test_id("problem.close").click()
    expect(relaunch).to_be_focused()


def test_forgetting_the_storage_signs_the_device_out(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    view = beside(page, foyer)
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.forget").click()
    page.get_by_test_id("confirm.yes").click()
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
    acting.cold_start(page)
    acting.arrive(view, "login")


def test_kill_and_relaunch_keeps_what_was_stored(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    view = beside(page, foyer)
    page.get_by_test_id("studio.more").click()
    page.get_by_test_id("studio.kill").click()
    acting.signed_in(view, email)


def refreshed_elsewhere(page, foyer, part):
    """The API refreshes the session, and `part` is told so."""
    device = acting.device_of(page, foyer)
    place = f"/api/devices/{device}/apps/mystica"
    session = foyer.api("GET", place)["session"]["id"]
    with page.expect_response(f"**part={part}*") as answer:
        foyer.api("POST", f"/api/sessions/{session}/refresh")
    answer.value.finished()
    acting.drawn(page)


def test_a_menu_stays_open_while_the_page_lives(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    page.get_by_test_id("studio.more").click()
    refreshed_elsewhere(page, foyer, "actions")
    page.get_by_test_id("studio.kill").click()
    acting.arrive(acting.phone(page), "map")


def test_a_button_is_not_taken_away_while_it_is_pressed(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    page.get_by_test_id("studio.expire").hover()
    page.mouse.down()
    refreshed_elsewhere(page, foyer, "actions")
    page.mouse.up()
    expect(page.locator("#tokens .countdown-over").first).to_be_visible()


def test_what_came_while_a_part_was_held_is_shown_when_it_is_let_go(visitors, foyer, person):
    page, _, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    # Where it stands when the part is drawn anew: nowhere.
    old = page.locator("#tokens [data-old]")
    page.locator("#tokens h2").evaluate("title => title.dataset.old = ''")
    page.locator("#tokens h2").hover()
    page.mouse.down()
    refreshed_elsewhere(page, foyer, "tokens")
    expect(old).to_have_count(1)
    page.mouse.up()
    expect(old).to_have_count(0)


def test_the_lists_follow_another_device(visitors, foyer, person):
    watcher = visitors.device(foyer)
    pages = {}
    for name in ["traffic", "sessions", "mailbox"]:
        pages[name] = watcher.context.new_page()
        pages[name].goto(f"{foyer.base}/{name}")
    totals = {
        name: acting.number(page.get_by_test_id(f"{name}.total").first.inner_text())
        for name, page in pages.items()
    }

    email, password = person()
    other = visitors.device(foyer)
    acting.start(other, foyer)
    acting.register(other, email, password)
    acting.arrive(other, "verify")

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


def test_one_session_is_shown_in_full_and_refreshed(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
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


def test_one_exchange_is_shown_in_full_and_copied(visitors, foyer, person):
    page, email, password = acting.player(visitors, foyer, person)
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
    whole = foyer.api("GET", f"/api/devices/{device}/apps/mystica/storage/mystica_access_token")[
        "value"
    ]
    assert whole not in har + curl + page.content()


def test_a_mail_cannot_reach_out_of_its_frame(page, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    mail = foyer.mail(email)
    page.goto(f"{foyer.base}/mailbox/{mail['id']}")
    frame = page.get_by_test_id("mail.html")
    sandbox = frame.get_attribute("sandbox")
    assert sandbox is not None
    assert "allow-scripts" not in sandbox
    assert "allow-same-origin" not in sandbox


def test_the_home_page_tells_where_each_app_stands(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    page.goto(foyer.base + "/")
    expect(page.get_by_test_id("home.app.mystica.state")).to_be_visible()
    page.get_by_test_id("home.app.mystica.open").click()
    acting.arrive(acting.phone(page), "map")


def test_the_phone_follows_a_relaunch_from_elsewhere(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    device = acting.device_of(page, foyer)
    beside(page, foyer)
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    foyer.api("POST", f"/api/devices/{device}/apps/mystica/relaunch")
    expect(page.get_by_test_id("studio.state.current")).to_have_text("login", ignore_case=True)
    acting.arrive(acting.phone(page), "login")


def test_a_page_that_lost_the_stream_catches_up(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    device = acting.device_of(page, foyer)
    page.context.set_offline(True)
    for error in ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED"):
        visitors.unanswered(error, "/api/events")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    page.context.set_offline(False)
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible(timeout=20_000)


def test_a_part_that_could_not_be_fetched_is_asked_for_again(visitors, foyer, person):
    page, email, _ = acting.player(visitors, foyer, person)
    beside(page, foyer)
    device = acting.device_of(page, foyer)
    lost = []

    def lose_the_first(route):
        if lost:
            return route.continue_()
        lost.append(route.request.url)
        route.abort("connectionreset")

    page.route(re.compile("part=storage"), lose_the_first)
    visitors.unanswered("ERR_CONNECTION_RESET", "/studio/mystica")
    foyer.api("DELETE", f"/api/devices/{device}/apps/mystica/storage")
    expect(page.get_by_test_id("studio.storage.none")).to_be_visible()
    assert lost


@pytest.mark.parametrize("app", ["mystica", "bob"])
def test_the_way_to_the_parts_stays_in_view_on_a_phone(visitors, foyer, app):
    page = visitors.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/studio/{app}")
    acting.arrive(acting.phone(page), "login")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    link = page.locator(".jumps").get_by_role("link", name="State")
    assert link.evaluate("""link => {
        const box = link.getBoundingClientRect();
        return link.contains(document.elementFromPoint(
            box.x + box.width / 2, box.y + box.height / 2));
    }""")
    link.click()
    assert page.locator("#state").evaluate("""part =>
        Math.abs(part.getBoundingClientRect().top
            - document.querySelector(".jumps").getBoundingClientRect().bottom)
        < 8""")


def test_a_long_path_is_cut_and_nothing_scrolls_sideways(visitors, foyer, standin, person):
    address, password = person()
    page = visitors.device(foyer)
    page.goto(foyer.base + "/studio/mystica")
    device = acting.device_of(page, foyer)
    long = "/a-rather-long-path" * 8
    acting.speak_to(foyer, device, standin.url + long)
    view = acting.studio(page, foyer)
    acting.login(view, address, password)
    row = page.get_by_test_id("exchanges.row").first
    path = row.locator(".cut")
    expect(path).to_have_text("/auth/login")
    # What is shown lies below the backend's base; that of another, whole.
    acting.speak_to(foyer, device, standin.url)
    page.reload()
    expect(path).to_have_text(long + "/auth/login")
    for width in [320, 390, 820, 1024, 1280]:
        looking.fits(page, "studio", width, 900)
        assert path.evaluate("path => path.scrollWidth > path.clientWidth")
        for cell in row.locator("td").all():
            box = cell.bounding_box()
            assert not box or box["x"] + box["width"] <= width
