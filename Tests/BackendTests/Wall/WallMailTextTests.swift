import Core
import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct WallMailTextTests {
    @Test(arguments: ["register", "login", "reset_password"])
    func `a mail of the Micronaut server matches its transcript`(_ purpose: String) async throws {
        let fixture = try await BackendFixture()
        if purpose != "register" { try await fixture.registerWallMember() }
        await fixture.sendMicronautCode(purpose)
        try await expectTranscript("wall/mails/java-\(purpose)", fixture)
    }

    @Test func `the mail of the specification's dialect matches its transcript`() async throws {
        let fixture = try await BackendFixture()
        await fixture.postWall("/register")
        try await expectTranscript("wall/mails/document", fixture)
    }

    private func expectTranscript(_ name: String, _ fixture: BackendFixture) async throws {
        let page = try await fixture.backend.mailbox.list(workspace: "main", app: "wall")
        let mail = try #require(page.items.first)
        let transcript = Transcript(title: name, mail: mail)
        #expect(try transcript.recordedText(as: name) == transcript.text)
        // The subject is stored unencrypted and published in events.
        #expect(!mail.subject.contains(try await fixture.wallCode()))
    }
}
