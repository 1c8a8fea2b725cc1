import Backend
import Core
import Support
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct MailboxPagesTests {
    private func mail(_ fixture: FoyerFixture) async throws -> Mail {
        let list = try await fixture.backend.mailbox.list(workspace: "main")
        return try #require(list.items.first)
    }

    @Test func `an empty mailbox says so and has no clear button`() async throws {
        let fixture = try await FoyerFixture()
        let page = await fixture.page("/mailbox")
        #expect(page.status == 200)
        #expect(page.text.contains("No messages yet"))
        #expect(!page.text.contains("\"mailbox.clear\""))
    }

    @Test func `a mail shows its link, whether it was used, and the call that sent it`()
        async throws
    {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let mail = try await mail(fixture)
        let page = await fixture.page("/mailbox/\(mail.id)")
        #expect(page.text.contains(mail.subject))
        #expect(page.text.contains("Link used"))
        #expect(page.text.contains("/mailbox/\(mail.id)/body"))
        #expect(page.text.contains("/auth/register"))
        #expect(page.text.contains("GET /api/mailbox/wait?to=nora%40example.com&amp;"))
    }

    @Test func `text and headers are separate views`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let mail = try await mail(fixture)
        let text = await fixture.page("/mailbox/\(mail.id)?view=text")
        #expect(text.text.contains("mail.text"))
        #expect(!text.text.contains("<iframe"))
        let headers = await fixture.page("/mailbox/\(mail.id)?view=headers")
        #expect(headers.text.contains("Subject"))
        #expect(!headers.text.contains("<iframe"))
    }

    @Test func `a mail's HTML runs no scripts and loads nothing remote`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let mail = try await mail(fixture)
        let body = await fixture.page("/mailbox/\(mail.id)/body")
        let policy = try #require(body.headers["Content-Security-Policy"])
        for rule in [
            "default-src 'none'", "img-src data:", "sandbox", "form-action 'none'",
            "frame-ancestors 'self'",
        ] { #expect(policy.contains(rule)) }
        #expect(!policy.contains("allow-scripts"))
        #expect(!policy.contains("allow-same-origin"))
        #expect(body.text.contains("<base target=\"_blank\">"))
        #expect(body.text.contains(mail.html))
    }

    /// A mail whose link is unused.
    private func unreadMail(_ fixture: FoyerFixture, device: String) async throws -> Mail {
        await fixture.submitSuccessfully(
            "/apps/mystica/register/submit",
            [("email", "zoe@example.com"), ("password", "correct horse")], device: device)
        return try await mail(fixture)
    }

    @Test func `a mail is unread until its form marks it, whatever is requested by GET`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let mail = try await unreadMail(fixture, device: device)
        let unread = ["class=\"unread\"", "1 unread", "mailbox.readall"]
        for path in ["/mailbox", "/mailbox/\(mail.id)", "/mailbox/\(mail.id)/body", "/mailbox"] {
            await fixture.expectPage(path)
        }
        let list = await fixture.page("/mailbox").text
        for text in unread { #expect(list.contains(text)) }
        #expect(!list.contains("data-submit-when-seen"))
        #expect(await fixture.page("/mailbox/\(mail.id)").text.contains("data-submit-when-seen"))

        let marked = await fixture.submit(
            "/mailbox/\(mail.id)/read", [("read", "true")], device: device)
        #expect(marked.location == "/mailbox/\(mail.id)")
        let read = await fixture.page("/mailbox/\(mail.id)").text
        for text in unread { #expect(!read.contains(text)) }
        #expect(read.contains("Mark as unread"))
        _ = await fixture.submit("/mailbox/\(mail.id)/read", [("read", "false")], device: device)
        #expect(await fixture.page("/mailbox").text.contains("1 unread"))
        _ = await fixture.submit("/mailbox/read", [], device: device)
        #expect(!(await fixture.page("/mailbox").text.contains("1 unread")))
    }

    @Test func `a deleted mail is no longer listed, and its open page says so`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        let mail = try await unreadMail(fixture, device: device)
        let deleted = await fixture.submit("/mailbox/\(mail.id)/delete", [], device: device)
        #expect(deleted.location == "/mailbox")
        #expect(await fixture.page("/mailbox/\(mail.id)").status == 404)
        let part = await fixture.page("/mailbox/\(mail.id)?part=mail")
        #expect(part.status == 200)
        #expect(part.text.contains("This message was deleted."))
        #expect(await fixture.page("/mailbox").text.contains("No messages yet"))
    }

    @Test func `a mail's source is shown and downloaded as a file`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let mail = try await mail(fixture)
        let source = await fixture.page("/mailbox/\(mail.id)?view=source").text
        #expect(source.contains("mail.source"))
        #expect(source.contains("Content-Transfer-Encoding: quoted-printable"))
        let file = await fixture.page("/mailbox/\(mail.id)/eml")
        #expect(file.headers["Content-Type"] == "message/rfc822")
        #expect(
            file.headers["Content-Disposition"] == "attachment; filename=\"\(mail.id).eml\"")
        #expect(file.text.contains("Subject: \(mail.subject)\r\n"))
    }

    @Test func `a search finds words of recipient, sender, subject and text`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        for query in ["nora", "NORA@example.com", "verif", "mystica"] {
            let page = await fixture.page("/mailbox?q=" + query.replacing("@", with: "%40"))
            #expect(page.text.contains("mailbox.row"), "\(query)")
        }
        for query in ["token", "zoe", "%25"] {
            let page = await fixture.page("/mailbox?q=" + query)
            #expect(!page.text.contains("mailbox.row"), "\(query)")
            #expect(page.text.contains("mail-no-matches"))
        }
        #expect(await fixture.page("/mailbox?q=nora&to=zoe%40example.com").text.contains("zoe@"))
    }

    @Test func `a recipient filter without matches names the address`() async throws {
        let fixture = try await FoyerFixture()
        _ = try await fixture.registered()
        let page = await fixture.page("/mailbox?to=zoe%40example.com")
        #expect(!page.text.contains("mailbox.row"))
        #expect(page.text.contains("zoe@example.com"))
        #expect(!page.text.contains("No messages yet"))
    }

    @Test func `clearing the mailbox asks for confirmation first`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        let dialog = await fixture.page("/mailbox/clear?part=dialog")
        #expect(dialog.text.contains("Delete 1 message?"))
        let cleared = await fixture.submit("/mailbox/clear", [], device: device)
        #expect(cleared.status == 303 && cleared.location == "/mailbox")
        #expect(await fixture.page("/mailbox").text.contains("No messages yet"))
    }

    @Test(arguments: [
        ("/mailbox/mail_none", 404), ("/mailbox/mail_none/body", 404), ("/mailbox?view=none", 400),
    ]) func `unknown mails and views are rejected`(target: String, status: Int) async throws {
        let fixture = try await FoyerFixture()
        #expect(await fixture.page(target).status == status)
    }
}
