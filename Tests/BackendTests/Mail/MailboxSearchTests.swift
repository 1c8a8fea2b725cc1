import Core
import SQLite
import Support
import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailboxSearchTests {
    private func subjects(_ fixture: BackendFixture, _ text: String) async throws -> [String] {
        try await fixture.backend.mailbox.list(workspace: "main", text: text).items.map(\.to)
    }

    @Test func `words of recipient, sender, subject and text are found by their beginnings`()
        async throws
    {
        let fixture = try await BackendFixture()
        for name in ["ada", "eve"] { await fixture.register("\(name)@example.com") }
        #expect(try await subjects(fixture, "ada") == ["ada@example.com"])
        #expect(try await subjects(fixture, "ADA@example.com verify") == ["ada@example.com"])
        #expect(try await subjects(fixture, "verif").count == 2)
        #expect(try await subjects(fixture, "mystica").count == 2)
        #expect(try await subjects(fixture, "zoe").isEmpty)
        #expect(try await subjects(fixture, "%").isEmpty)
    }

    @Test func `an address is a phrase, and a symbol is found anywhere`() async throws {
        let fixture = try await BackendFixture()
        for address in ["c@x.org", "other@x.org", "cat@xy.organ"] {
            _ = try await fixture.backend.mailbox.receive(
                Array("Subject: For \(address == "c@x.org" ? "🙂" : "you")\r\n\r\nx, c, org".utf8),
                from: "shop@example.com", to: [address], app: nil, workspace: "main",
                at: fixture.frozen.now)
        }
        #expect(try await subjects(fixture, "c@x.org") == ["c@x.org"])
        #expect(try await subjects(fixture, "@x.or") == ["other@x.org", "c@x.org"])
        #expect(try await subjects(fixture, "🙂") == ["c@x.org"])
        #expect(try await subjects(fixture, "🙂 other").isEmpty)
    }

    /// The index is not sealed.
    @Test func `links and codes are not indexed`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        _ = try await subjects(fixture, "ada")
        let link = try await fixture.link(to: BackendFixture.email)
        let token = try #require(link.split(separator: "=").last)
        let words = try await fixture.database.read { connection in
            try connection.rows("SELECT subject || text FROM mail_words") { $0.text(0) }
        }
        #expect(words.count == 1)
        #expect(words.allSatisfy { !$0.contains(token) && !$0.contains("://") })
        #expect(try await subjects(fixture, String(token)).isEmpty)
    }

    @Test func `a deleted mail is not found, one restored by a snapshot is`() async throws {
        let fixture = try await BackendFixture()
        await fixture.register()
        let mailbox = fixture.backend.mailbox
        let mail = try #require(try await mailbox.list(workspace: "main").items.first)
        #expect(try await subjects(fixture, "ada").count == 1)
        try await fixture.backend.save(snapshot: "s", contracts: ["mystica"], workspace: "main")
        #expect(try await mailbox.delete(mail.id, workspace: "main"))
        #expect(try await !mailbox.delete(mail.id, workspace: "main"))
        #expect(fixture.hub.events(in: "main").last?.kind == .mailDeleted)
        #expect(try await subjects(fixture, "ada").isEmpty)
        #expect(try await fixture.backend.restore(snapshot: "s"))
        #expect(try await subjects(fixture, "ada").count == 1)
    }

    @Test func `mails are unread until marked, or until their link is used`() async throws {
        let fixture = try await BackendFixture()
        for name in ["ada", "eve"] { await fixture.register("\(name)@example.com") }
        let mailbox = fixture.backend.mailbox
        let now = fixture.frozen.now
        func unread() async throws -> Int { try await mailbox.unreadCount(workspace: "main") }
        #expect(try await unread() == 2)
        _ = await fixture.follow(try await fixture.link(to: "eve@example.com"))
        #expect(try await unread() == 1)
        let mail = try #require(
            try await mailbox.list(workspace: "main", to: "ada@example.com").items.first)
        #expect(try await mailbox.mark(mail.id, read: true, workspace: "main", at: now))
        #expect(try await mailbox.mail(mail.id, workspace: "main")?.readAt == now)
        #expect(try await unread() == 0)
        let events = fixture.hub.events(in: "main").count
        #expect(try await !mailbox.mark(mail.id, read: true, workspace: "main", at: now))
        #expect(try await !mailbox.mark(mail.id, read: false, workspace: "other", at: now))
        #expect(fixture.hub.events(in: "main").count == events)
        #expect(try await mailbox.mark(read: false, workspace: "main", at: now))
        #expect(try await unread() == 2)
    }
}
