"""Mail of real backends, received by SMTP: Python's smtplib and Django send it."""

import base64
import json
import re
import smtplib
import socket
import urllib.error
import urllib.request
from email.message import EmailMessage

import harbour
import pytest
from foyer import MARK, Foyer
from playwright.sync_api import expect

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


@pytest.fixture(scope="module")
def smtp_foyer():
    server = Foyer("smtp", ["--smtp-port", "0"])
    server.smtp = server.api("GET", "/api/backend")["smtp"]
    yield server
    server.remember_tokens()
    assert server.stop() == 0


def client(foyer, user=None):
    connection = smtplib.SMTP(foyer.smtp["host"], foyer.smtp["port"], timeout=30)
    if user:
        connection.login(user, "any")
    return connection


def message(to, subject="Your code is 482913", text="Your verification code: 482913\n.\n"):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Shop <shop@example.com>", to, subject
    mail.set_content(text)
    return mail


def wait(foyer, to, workspace="main"):
    request = urllib.request.Request(
        f"{foyer.base}/api/mailbox/wait?to={to}&timeout=10",
        headers={"Authorization": f"Bearer {foyer.key}", "X-Foyer-Workspace": workspace},
    )
    return json.load(urllib.request.urlopen(request, timeout=30))


def test_smtplib_delivers_and_wait_returns_the_code(smtp_foyer):
    with client(smtp_foyer) as connection:
        assert connection.ehlo()[0] == 250
        for feature in ("size", "8bitmime", "smtputf8", "pipelining", "enhancedstatuscodes"):
            assert connection.has_extn(feature)
        mail = message("Zoë <zoe@example.com>", "Dein Bestätigungscode")
        mail.add_alternative("<p>Code: <b>482913</b></p><img src='cid:a'>", subtype="html")
        mail.get_payload()[1].add_related(PIXEL, "image", "png", cid="<a>")
        connection.send_message(mail)
    received = wait(smtp_foyer, "zoe@example.com")
    assert received["code"] == "482913"
    assert received["subject"] == "Dein Bestätigungscode"
    assert received["text"] == "Your verification code: 482913\n.\n"
    assert received["from"] == "shop@example.com"


def test_a_user_name_selects_a_workspace(smtp_foyer):
    workspace = smtp_foyer.api("POST", "/api/workspaces")["id"]
    with client(smtp_foyer, f"{workspace}/mystica") as connection:
        connection.send_message(message("ada@example.com"))
    assert wait(smtp_foyer, "ada@example.com", workspace)["app"] == "mystica"
    assert smtp_foyer.api("GET", "/api/mailbox?to=ada@example.com")["total"] == 0
    smtp_foyer.api("DELETE", f"/api/workspaces/{workspace}")
    with pytest.raises(smtplib.SMTPAuthenticationError) as error:
        client(smtp_foyer, workspace)
    assert error.value.smtp_code == 535
    assert workspace.encode() in error.value.smtp_error


def test_a_message_that_is_too_large_is_rejected(smtp_foyer):
    with client(smtp_foyer) as connection, pytest.raises(smtplib.SMTPSenderRefused) as error:
        connection.sendmail("a@b.example", ["c@d.example"], "x" * (11 << 20))
    assert error.value.smtp_code == 552


def test_it_listens_on_loopback_and_says_so_when_it_stops(smtp_foyer):
    own = Foyer("smtp-stop", ["--smtp-port", "0"])
    port = own.api("GET", "/api/backend")["smtp"]["port"]
    with socket.create_connection(("127.0.0.1", port)) as connection:
        assert connection.recv(100).startswith(b"220 ")
        assert own.stop() == 0
        assert connection.recv(100) == b"421 4.3.2 Foyer is stopping\r\n"
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port))


def test_django_delivers_its_links(smtp_foyer, tmp_path):
    workspace = smtp_foyer.api("POST", "/api/workspaces")["id"]
    backend = harbour.Backend(tmp_path / "django", (smtp_foyer.smtp["port"], workspace))

    def post(path, body):
        request = urllib.request.Request(
            backend.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        return urllib.request.urlopen(request, timeout=60).close()

    try:
        user = {"username": "nora", "email": "nora@example.com", "password": MARK + "-django"}
        post("/auth/users/", user)
        mail = wait(smtp_foyer, "nora@example.com", workspace)
        assert mail["purpose"] == "verify"
        uid, token = re.search(r"/activate/([^/]+)/([^/]+)$", mail["link"]).groups()
        post("/auth/users/activation/", {"uid": uid, "token": token})
        post("/auth/users/reset_password/", {"email": "nora@example.com"})
        path = f"{smtp_foyer.base}/api/mailbox/wait?to=nora@example.com&purpose=reset&timeout=10"
        request = urllib.request.Request(
            path,
            headers={"Authorization": f"Bearer {smtp_foyer.key}", "X-Foyer-Workspace": workspace},
        )
        assert "/reset/" in json.load(urllib.request.urlopen(request))["link"]
    finally:
        backend.stop()


def test_opening_and_deleting_mail_shows_in_a_second_tab(smtp_foyer, browsers):
    with client(smtp_foyer) as connection:
        for name in ("first", "second"):
            connection.send_message(message(f"{name}@live.example", f"Mail to {name}"))
    page = browsers.device(smtp_foyer)
    page.goto(smtp_foyer.base + "/mailbox?q=live")
    row = page.get_by_test_id("mailbox.row").filter(has_text="first@live.example")
    expect(row).to_have_class(re.compile("mail-unread"))
    other = browsers.device(smtp_foyer)
    mail = smtp_foyer.api("GET", "/api/mailbox?to=first@live.example")["items"][0]
    other.goto(f"{smtp_foyer.base}/mailbox/{mail['id']}")
    expect(row).not_to_have_class(re.compile("mail-unread"))
    assert smtp_foyer.api("GET", f"/api/mailbox/{mail['id']}")["isRead"]
    # The user may mark it as unread; the page does not mark it again.
    other.get_by_test_id("mail.read").click()
    expect(row).to_have_class(re.compile("mail-unread"))
    expect(other.get_by_test_id("mail.read")).to_have_text("Mark as read")
    smtp_foyer.api("DELETE", f"/api/mailbox/{mail['id']}")
    expect(row).to_have_count(0)
    expect(other.get_by_test_id("mail.deleted")).to_contain_text("This message was deleted.")
    page.get_by_test_id("mailbox.readall").click()
    expect(page.get_by_test_id("mailbox.unread")).to_have_count(0)
    page.get_by_test_id("mailbox.row").filter(has_text="second@").get_by_role("link").click()
    page.get_by_test_id("mail.delete").click()
    expect(page).to_have_url(smtp_foyer.base + "/mailbox")
    expect(page.get_by_text("second@live.example")).to_have_count(0)


def test_without_scripts_mail_is_marked_searched_and_deleted(smtp_foyer, browsers):
    with client(smtp_foyer) as connection:
        connection.send_message(message("plain@example.org", "Plain mail"))
    page = browsers.device(smtp_foyer, java_script_enabled=False)
    page.goto(smtp_foyer.base + "/mailbox")
    page.get_by_test_id("mailbox.search").fill("example.org")
    page.get_by_test_id("mailbox.search").press("Enter")
    page.get_by_test_id("mailbox.row").get_by_role("link").click()
    expect(page.get_by_test_id("mail.read")).to_have_text("Mark as read")
    page.get_by_test_id("mail.read").click()
    expect(page.get_by_test_id("mail.read")).to_have_text("Mark as unread")
    page.get_by_test_id("mail.view.source").click()
    expect(page.get_by_test_id("mail.source")).to_contain_text("Subject: Plain mail")
    page.get_by_test_id("mail.delete").click()
    expect(page.get_by_text("plain@example.org")).to_have_count(0)


def test_the_html_of_a_mail_runs_and_loads_nothing(smtp_foyer, browsers):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    remote = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    mail = message("hostile@example.com", "Hostile")
    mail.add_alternative(
        f"<script>parent.document.title = 'run'</script><img src='{remote}x'>"
        f"<link rel=preconnect href='{remote}'><iframe src='{remote}'></iframe>"
        f"<meta http-equiv=refresh content='0;url={remote}'><p>Hostile text</p>",
        subtype="html",
    )
    with client(smtp_foyer) as connection:
        connection.send_message(mail)
    received = wait(smtp_foyer, "hostile@example.com")
    page = browsers.device(smtp_foyer)
    browsers.expected_errors.append(
        lambda text, _: "Content Security Policy" in text or "sandboxed" in text
    )
    page.goto(f"{smtp_foyer.base}/mailbox/{received['id']}")
    frame = page.frame_locator("[data-testid='mail.html']")
    expect(frame.get_by_text("Hostile text")).to_be_visible()
    assert page.title().startswith("Hostile")
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()
