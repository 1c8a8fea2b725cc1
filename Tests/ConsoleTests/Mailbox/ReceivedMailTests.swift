import Core
import Email
import Support
import Testing
import Web
import Workspaces

@testable import Backend
@testable import Console

extension FoyerFixture {
    fileprivate var intake: MailIntake {
        MailIntake(simulator: simulator, backend: backend, catalog: catalog)
    }

    /// The id of a leased workspace.
    fileprivate func lease() async throws -> String {
        try #require(await ask(.post, "/api/workspaces").json["id"]?.string)
    }
}

/// Mail that a real backend sends by SMTP, without the sockets.
@Suite(.timeLimit(.minutes(10))) struct ReceivedMailTests {
    private static let message = """
        From: Shop <shop@example.com>\r
        Subject: =?utf-8?Q?482913_is_your_c=C3=B3de?=\r
        Content-Type: text/html; charset=utf-8\r
        \r
        <LINK rel=preconnect href=https://evil.example><script>alert(1)</script>\r
        <p>Your code: 482913</p><a href="https://shop.example/verify?token=abcdef123456">Go</a>\r

        """

    private func deliver(
        _ fixture: FoyerFixture, to recipients: [String] = ["Nora@example.com"],
        destination: SMTPDestination = .main, _ message: String = message
    ) async -> SMTPDelivery.Outcome {
        await fixture.intake.deliver(
            SMTPDelivery(
                sender: "bounce@example.com", recipients: recipients, destination: destination,
                message: Array(message.utf8)))
    }

    @Test func `a received mail has its code and link, and is returned by wait`() async throws {
        let fixture = try await FoyerFixture()
        guard case .stored(let id) = await deliver(fixture) else {
            Issue.record("It was not stored.")
            return
        }
        let mail = await fixture.ask(.get, "/api/mailbox/wait?to=nora@example.com").json
        #expect(mail["id"]?.string == id)
        #expect(mail["code"]?.string == "482913")
        #expect(mail["link"]?.string == "https://shop.example/verify?token=abcdef123456")
        #expect(mail["purpose"]?.string == "verify")
        #expect(mail["subject"]?.string == "482913 is your códe")
        #expect(mail["from"]?.string == "shop@example.com")
        #expect(mail["app"] == .null)
        #expect(mail["isRead"]?.bool == false)
        // The timeline and the index are not sealed.
        #expect(
            !fixture.hub.events(in: "main").contains {
                "\($0.title)\($0.details)".contains("482913")
            })
        #expect(await fixture.ask(.get, "/api/mailbox?q=482913").json["total"]?.int == 0)
        #expect(await fixture.ask(.get, "/api/mailbox?q=shop+go").json["total"]?.int == 1)
        let file = await fixture.page("/mailbox/\(id)/eml")
        #expect(file.text == Self.message)
    }

    @Test func `a subject cannot turn the direction of the texts around it`() async throws {
        let fixture = try await FoyerFixture()
        guard case .stored(let id) = await deliver(fixture, "Subject: \u{202E}evil\r\n\r\n") else {
            return
        }
        #expect(await fixture.ask(.get, "/api/mailbox/\(id)").json["subject"] == "evil")
    }

    @Test func `attachments are listed and downloaded`() async throws {
        let fixture = try await FoyerFixture()
        let outcome = await deliver(
            fixture,
            """
            Subject: Invoice\r
            Content-Type: multipart/mixed; boundary=b\r
            \r
            --b\r
            \r
            See the file.\r
            --b\r
            Content-Type: text/html\r
            Content-Disposition: attachment; filename="r\u{E9}sum\u{E9}.html"\r
            \r
            <script>\r
            --b--\r

            """)
        guard case .stored(let id) = outcome else { return }
        let file = await fixture.ask(.get, "/api/mailbox/\(id)").json["attachments"]?[0]
        #expect(file?["name"]?.string == "résumé.html")
        #expect(file?["mediaType"]?.string == "text/html")
        #expect(file?["size"]?.int == 8)
        let page = await fixture.page("/mailbox/\(id)").text
        #expect(page.contains("résumé.html") && page.contains("8 B"))
        for path in ["/mailbox/\(id)/attachments/", "/api/mailbox/\(id)/attachments/"] {
            let download = await fixture.page(path + "0")
            #expect(download.text == "<script>")
            #expect(download.headers["Content-Type"] == "application/octet-stream")
            #expect(
                download.headers["Content-Disposition"]
                    == "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.html")
            for number in ["1", "-1", "x"] {
                #expect(await fixture.page(path + number).status == 404)
            }
        }
    }

    @Test func `its page claims no expiry, and its HTML is inert`() async throws {
        let fixture = try await FoyerFixture()
        guard case .stored(let id) = await deliver(fixture) else { return }
        let page = await fixture.page("/mailbox/\(id)")
        #expect(page.text.contains("SMTP"))
        #expect(!page.text.contains("Single use"))
        let body = await fixture.page("/mailbox/\(id)/body")
        #expect(body.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        #expect(body.headers["X-DNS-Prefetch-Control"] == "off")
        #expect(body.text.contains("<x-link rel=preconnect"))
    }

    @Test func `each recipient gets the message once, in the workspace of the connection`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.lease()
        _ = await deliver(
            fixture, to: ["a@example.com", "A@example.com", "root@localhost"],
            destination: SMTPDestination(workspace: lease, app: "mystica"))
        let mails = try await fixture.backend.mailbox.list(workspace: lease).items
        #expect(mails.map(\.to) == ["root@localhost", "a@example.com"])
        #expect(mails.allSatisfy { $0.app == "mystica" })
        #expect(try await fixture.backend.mailbox.count(workspace: "main") == 0)
    }

    @Test func `a user name selects a workspace and an app, or main`() async throws {
        let fixture = try await FoyerFixture()
        let lease = try await fixture.lease()
        func authorize(_ name: String) -> SMTPConfiguration.Authorization {
            fixture.intake.authorize(name)
        }
        #expect(authorize("apikey") == .accepted(.main))
        #expect(authorize(lease) == .accepted(SMTPDestination(workspace: lease, app: nil)))
        #expect(
            authorize("main/mystica")
                == .accepted(SMTPDestination(workspace: "main", app: "mystica")))
        for name in ["ws_none", "main/none"] {
            guard case .rejected = authorize(name) else {
                Issue.record("\(name) is accepted.")
                continue
            }
        }
    }

    @Test func `a workspace that expired during the connection rejects the message`() async throws {
        let fixture = try await FoyerFixture()
        let outcome = await deliver(
            fixture, destination: SMTPDestination(workspace: "ws_gone", app: nil))
        #expect(outcome == .rejected(reason: "Workspace ws_gone has expired"))
    }

    @Test func `a workspace stores 64 MiB of sources, the newest`() async throws {
        let fixture = try await FoyerFixture()
        let large = "Subject: large\r\n\r\n" + String(repeating: "x", count: 9 << 20)
        for _ in 0..<8 { _ = await deliver(fixture, large) }
        let mails = try await fixture.backend.mailbox.list(workspace: "main").items
        #expect(mails.count == 7)
        #expect(mails.first?.text.utf8.count == 1 << 20)
    }

    @Test func `the empty mailbox and the API name the address`() async throws {
        let fixture = try await FoyerFixture()
        #expect(await fixture.page("/mailbox").text.contains("--smtp-port 1025"))
        #expect(await fixture.ask(.get, "/api/backend").json["smtp"] == .null)
    }
}
