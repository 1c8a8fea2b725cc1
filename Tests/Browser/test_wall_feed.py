"""Anonymous Wall's feed: reading, paging and writing, and the end of a token while reading."""

import acting
import anonymous
import pytest
from anonymous import SAM, fill, press, wall_backend  # noqa: F401
from playwright.sync_api import expect


def texts(first, last):
    """The texts of posts from `first` down to `last`."""
    return [f"Post {number}" for number in range(first, last - 1, -1)]


def open_wall(page, foyer, backend, count=0):
    backend.add_posts(*reversed(texts(count, 1)))
    return anonymous.sign_in_new_user(page, foyer, backend, SAM)


def test_an_empty_wall_says_so_and_a_post_written_there_is_on_top(page, foyer, wall_backend):
    open_wall(page, foyer, wall_backend)
    expect(page.get_by_test_id("wall.empty")).to_contain_text("No posts yet. Write the first one.")
    expect(page.get_by_test_id("wall.more")).to_have_count(0)
    anonymous.write_post(page, "The first\nin two lines")
    expect(page.get_by_test_id("wall.empty")).to_have_count(0)
    anonymous.write_post(page, "The second")
    expect(anonymous.posts(page)).to_have_text(["The second", "The first\nin two lines"])
    assert wall_backend.bodies_of("/posts") == [
        {"content": "The first\nin two lines"},
        {"content": "The second"},
    ]
    # A post has a date and no author.
    post = page.get_by_test_id("wall.post").first
    expect(post.locator("time")).to_have_attribute("datetime", wall_backend.posts[0]["created_at"])
    expect(post.locator("time")).to_contain_text("2026")
    expect(post).not_to_contain_text(SAM)


def test_a_page_is_added_below_and_the_view_stays_there(page, foyer, wall_backend):
    open_wall(page, foyer, wall_backend, 25)
    expect(anonymous.posts(page)).to_have_text(texts(25, 16))
    press(page, "wall.more")
    expect(anonymous.posts(page)).to_have_text(texts(25, 6))
    expect(anonymous.posts(page).nth(9)).to_be_in_viewport()
    press(page, "wall.more")
    expect(anonymous.posts(page)).to_have_text(texts(25, 1))
    expect(page.get_by_test_id("wall.more")).to_have_count(0)
    # A reload begins with the newest page.
    wall_backend.add_posts("Post 26")
    page.reload()
    expect(anonymous.posts(page)).to_have_text(texts(26, 17))


def test_the_keyboard_asks_for_page_after_page(page, foyer, wall_backend):
    open_wall(page, foyer, wall_backend, 25)
    more = page.get_by_test_id("wall.more")
    more.focus()
    for count in [20, 25]:
        expect(more).to_be_focused()
        page.keyboard.press("Enter")
        expect(anonymous.posts(page)).to_have_count(count)


def test_a_page_that_fails_says_why_and_is_asked_for_again(page, foyer, wall_backend):
    open_wall(page, foyer, wall_backend, 12)
    wall_backend.respond_with("/posts", wall_backend.failure(429, "Not so fast"))
    press(page, "wall.more")
    expect(anonymous.error(page, "wall")).to_have_text("Not so fast")
    expect(anonymous.posts(page)).to_have_count(10)
    press(page, "wall.more")
    expect(anonymous.posts(page)).to_have_text(texts(12, 1))
    expect(anonymous.error(page, "wall")).to_have_count(0)


def test_a_feed_that_cannot_be_loaded_is_tried_again(page, foyer, wall_backend):
    wall_backend.respond_with("/posts", *[(503, "busy")] * 4)
    open_wall(page, foyer, wall_backend, 2)
    expect(anonymous.error(page, "wall")).to_have_text("Invalid response from server")
    expect(page.get_by_test_id("wall.empty")).to_have_count(0)
    press(page, "wall.retry")
    expect(anonymous.posts(page)).to_have_text(texts(2, 1))
    expect(anonymous.error(page, "wall")).to_have_count(0)


def test_a_token_that_expires_while_reading_is_refreshed_unnoticed(page, foyer, wall_backend):
    device = open_wall(page, foyer, wall_backend, 12)
    before = anonymous.value(foyer, device, anonymous.TOKEN)
    wall_backend.expire_tokens()
    press(page, "wall.more")
    expect(anonymous.posts(page)).to_have_text(texts(12, 1))
    expect(anonymous.error(page, "wall")).to_have_count(0)
    assert anonymous.value(foyer, device, anonymous.TOKEN) != before
    calls = [(e["call"], e["status"]) for e in acting.exchanges(foyer, device)]
    assert calls[:3] == [("morePosts", 200), ("refresh", 200), ("morePosts", 401)]
    # A post too is sent again with the new token.
    wall_backend.expire_tokens()
    anonymous.write_post(page, "Post 13")
    expect(anonymous.posts(page).first).to_have_text("Post 13")


def test_a_refused_refresh_leads_to_the_landing_screen(page, foyer, wall_backend):
    device = open_wall(page, foyer, wall_backend, 12)
    wall_backend.expire_tokens(refresh_too=True)
    press(page, "wall.more")
    acting.expect_screen(page, "landing")
    expect(anonymous.error(page, "landing")).to_have_text(anonymous.EXPIRED)
    assert anonymous.stored(foyer, device) == {}
    # The message is shown once.
    anonymous.to_login(page)
    page.go_back()
    acting.expect_screen(page, "landing")
    expect(anonymous.error(page, "landing")).to_have_count(0)


def test_the_text_has_a_limit_and_survives_a_failure(page, foyer, wall_backend):
    open_wall(page, foyer, wall_backend)
    press(page, "wall.write")
    acting.expect_screen(page, "write")
    counter = page.get_by_test_id("write.content.counter")
    expect(counter).to_have_text("0 of 280 characters")
    expect(page.get_by_test_id("write.submit")).to_be_disabled()
    fill(page, "write.content", "ü" * 281)
    expect(counter).to_have_text("281 of 280 characters")
    error = page.get_by_test_id("write.content.error")
    expect(error).to_have_text("A post has at most 280 characters")
    fill(page, "write.content", "ü" * 280)
    expect(error).to_have_count(0)
    wall_backend.respond_with("/posts", (500, "busy"))
    press(page, "write.submit")
    expect(anonymous.error(page, "write")).to_have_text("Invalid response from server")
    expect(page.get_by_test_id("write.content")).to_have_value("ü" * 280)
    expect(counter).to_have_text("280 of 280 characters")
    # Cancelled: back on the wall nothing was posted.
    press(page, "write.back")
    acting.expect_screen(page, "wall")
    expect(page.get_by_test_id("wall.empty")).to_be_visible()


def test_the_feed_without_scripts(browsers, foyer, wall_backend):
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/studio/wall")
    device = foyer.api("GET", "/api/devices?limit=500")["items"][0]["id"]
    anonymous.use_backend(foyer, device, wall_backend.server)
    wall_backend.add_posts(*reversed(texts(11, 1)))
    wall_backend.respond_with("/posts", wall_backend.failure(403, "The wall is closed"))
    acting.relaunch_in_studio(page, foyer, anonymous.APP)
    page.get_by_role("button", name="Continue").click()
    anonymous.to_login(page)
    anonymous.get_code(page, SAM)
    anonymous.login(page, wall_backend.code(SAM))
    expect(anonymous.error(page, "wall")).to_have_text("The wall is closed")
    press(page, "wall.retry")
    expect(anonymous.posts(page)).to_have_text(texts(11, 2))
    press(page, "wall.more")
    expect(anonymous.posts(page)).to_have_text(texts(11, 1))
    press(page, "wall.write")
    press(page, "write.submit")
    expect(page.get_by_test_id("write.content.error")).to_have_text("Please write something")
    anonymous.submit_post(page, "Post 12")
    expect(anonymous.posts(page)).to_have_text(texts(12, 3))
    wall_backend.expire_tokens(refresh_too=True)
    page.get_by_test_id("wall.refresh").focus()
    page.keyboard.press("Enter")
    expect(anonymous.error(page, "landing")).to_have_text(anonymous.EXPIRED)


@pytest.mark.parametrize("backend", ["embedded", "campusEmbedded"])
def test_the_embedded_server_has_the_feed_in_both_dialects(page, foyer, person, backend):
    email = person()[0].replace("example.com", "mit.edu")
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", anonymous.app_path(device), {"backend": backend})
    anonymous.start(page, foyer)
    anonymous.register(page, email)
    anonymous.login(page, foyer.mail(email, "register")["code"])
    anonymous.expect_signed_in(page, email)
    anonymous.write_post(page, "Hello")
    expect(anonymous.posts(page).first).to_have_text("Hello")
    foyer.api("POST", f"{anonymous.app_path(device)}/expire")
    page.reload()
    expect(anonymous.posts(page).first).to_have_text("Hello")
    calls = [(e["call"], e["status"]) for e in acting.exchanges(foyer, device)]
    assert calls[:3] == [("posts", 200), ("refresh", 200), ("posts", 401)]
