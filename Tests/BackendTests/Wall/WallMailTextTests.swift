import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallMailTextTests {
    @Test(arguments: ["register", "login", "reset_password"])
    func `a mail of the Micronaut server reads as its transcript`(_ purpose: String) async throws {
        let fixture = try await BackendFixture()
        if purpose != "register" { try await fixture.wallMember() }
        await fixture.campusCode(purpose)
        try await expect("wall/mails/java-\(purpose)", fixture)
    }

    @Test func `the document's mail reads as its transcript`() async throws {
        let fixture = try await BackendFixture()
        await fixture.wall("/register")
        try await expect("wall/mails/document", fixture)
    }

    private func expect(_ name: String, _ fixture: BackendFixture) async throws {
        let page = try await fixture.backend.mailbox.list(workspace: "main", app: "wall")
        let mail = try #require(page.items.first)
        let transcript = Transcript(title: name, mail: mail)
        #expect(try transcript.kept(as: name) == transcript.text)
        // The subject is kept in the open, and events tell it.
        #expect(!mail.subject.contains(try await fixture.code()))
    }
}
