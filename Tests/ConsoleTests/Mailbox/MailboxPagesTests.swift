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

    @Test func `a mail is marked as new until it is opened`() async throws {
        let fixture = try await FoyerFixture()
        let device = await fixture.device()
        await fixture.submitSuccessfully(
            "/apps/mystica/register/submit",
            [("email", "zoe@example.com"), ("password", "correct horse")], device: device)
        let mail = try await mail(fixture)
        let new = "class=\"unread\""
        #expect(await fixture.page("/mailbox").text.contains(new))
        await fixture.expectPage("/mailbox/\(mail.id)?part=rows")
        #expect(await fixture.page("/mailbox").text.contains(new))
        await fixture.expectPage("/mailbox/\(mail.id)")
        #expect(!(await fixture.page("/mailbox").text.contains(new)))
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
