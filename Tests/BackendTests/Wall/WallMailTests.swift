import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallMailTests {
    @Test(arguments: ["register", "login", "reset_password"])
    func `a mail of the Micronaut server reads as its transcript`(_ purpose: String) async throws {
        let house = try await BackendHouse()
        if purpose != "register" { try await house.wallMember() }
        await house.campusCode(purpose)
        try await expect("wall/mails/java-\(purpose)", house)
    }

    @Test func `the document's mail reads as its transcript`() async throws {
        let house = try await BackendHouse()
        await house.wall("/register")
        try await expect("wall/mails/document", house)
    }

    private func expect(_ name: String, _ house: BackendHouse) async throws {
        let page = try await house.backend.mailbox.list(workspace: "main", app: "wall")
        let mail = try #require(page.items.first)
        let transcript = Transcript(title: name, mail: mail)
        #expect(try transcript.kept(as: name) == transcript.text)
        // The subject is kept in the open, and events tell it.
        #expect(!mail.subject.contains(try await house.code()))
    }
}
