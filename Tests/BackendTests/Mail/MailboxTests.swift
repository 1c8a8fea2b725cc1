import Core
import FoundationEssentials
import SQLite
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailboxTests {
    @Test func `a mail contains its link as text and as HTML`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register("o'neil@example.com")
        let page = try await fixture.backend.mailbox.list(workspace: "main")
        let mail = try #require(page.items.first)
        let link = try #require(mail.link)
        #expect(mail.subject == "Verify your email")
        #expect(mail.to == "o'neil@example.com")
        #expect(mail.purpose == "verify")
        #expect(mail.app == "mystica")
        #expect(mail.sentAt == fixture.frozen.now)
        #expect(mail.expiresAt == fixture.frozen.now + 86_400)
        #expect(link.hasPrefix("http://127.0.0.1:7071/main/mystica/verify?token="))
        #expect(mail.text.contains(link))
        #expect(mail.html.contains("href=\"\(link)\""))
        let headers = Dictionary(uniqueKeysWithValues: mail.headers.map { ($0.name, $0.value) })
        #expect(headers["Subject"] == "Verify your email")
        #expect(headers["Date"] == "Sat, 21 Nov 2026 14:35:00 +0000")
        #expect(headers["To"] == "<o'neil@example.com>")
        #expect(
            try await fixture.backend.mailbox.mail(mail.id, workspace: "main")?.html == mail.html)
        #expect(try await fixture.backend.mailbox.mail(mail.id, workspace: "other") == nil)
    }

    @Test func `a sent mail publishes an event without its link`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let event = try #require(fixture.hub.events(in: "main").first { $0.kind == .mailReceived })
        let mails = try await fixture.backend.mailbox.list(workspace: "main")
        #expect(event.subject == mails.items.first?.id)
        #expect(event.app == "mystica")
        #expect(event.details["to"] == BackendFixture.email)
        #expect(!"\(event)".contains("token="))
    }

    @Test func `mails are listed by address, purpose and page, newest first`() async throws {
        let fixture = try await BackendFixture()
        for name in ["a", "b", "c"] { await fixture.register("\(name)@example.com") }
        _ = await fixture.post("/auth/reset-password", ["email": "b@example.com"])
        let mailbox = fixture.backend.mailbox
        let first = try await mailbox.list(workspace: "main", at: Keyset(limit: 3))
        #expect(first.total == 4)
        #expect(try await mailbox.count(workspace: "main") == 4)
        #expect(try await mailbox.count(workspace: "other") == 0)
        #expect(first.hasOlder)
        #expect(first.items.map(\.purpose) == ["reset", "verify", "verify"])
        let second = try await mailbox.list(
            workspace: "main", at: Keyset(before: first.last, limit: 3))
        #expect(second.items.map(\.to) == ["a@example.com"])
        #expect(!second.hasOlder)
        let matching = try await mailbox.list(
            workspace: "main", to: "B@Example.com", purpose: "verify")
        #expect(matching.total == 1)
        #expect(try await mailbox.list(workspace: "main", to: "example.com").total == 0)
        #expect(try await mailbox.list(workspace: "main", app: "bob").total == 0)
        #expect(try await mailbox.list(workspace: "other").total == 0)
    }

    @Test func `clearing the mailbox affects one workspace and returns the count`() async throws {
        let fixture = try await BackendFixture()
        try await fixture.backend.create(workspace: "other")
        await fixture.register()
        await fixture.register(in: "other")
        let mailbox = fixture.backend.mailbox
        #expect(try await mailbox.clear(workspace: "main") == 1)
        #expect(try await mailbox.list(workspace: "main").total == 0)
        #expect(try await mailbox.list(workspace: "other").total == 1)
        #expect(fixture.hub.events(in: "main").last?.kind == .mailboxCleared)
    }

    @Test func `a workspace stores its newest five thousand mails`() async throws {
        let fixture = try await BackendFixture()
        let mailbox = fixture.backend.mailbox
        let realm = Realm(workspace: "main", contract: "mystica")
        try await fixture.database.write { connection in
            for number in 0..<5_119 {
                let (id, email) = ("mail_\(number)", "\(number)@example.com")
                let now = Timestamp(fixture.frozen.now)
                let challenge = Challenge(
                    digest: id, accountID: nil, realm: realm, purpose: .verify, email: email,
                    mailID: id, createdAt: now, expiresAt: now)
                let mail = Mail(
                    id: id, sequence: 0, workspace: "main", app: "mystica", to: email, subject: "",
                    purpose: "verify", sentAt: now.date, text: "", html: "", headers: [])
                let outgoing = OutgoingMail(mail: mail, sealedContent: "", challenge: challenge)
                _ = try connection.send(outgoing, limit: MailLimit())
            }
        }
        await fixture.register()
        let storedCount = try await fixture.database.read { connection in
            try connection.integer("SELECT count(*) FROM mails")
        }
        #expect(storedCount == Int64(5_000))
        #expect(try await mailbox.list(workspace: "main", to: BackendFixture.email).total == 1)
    }
}
