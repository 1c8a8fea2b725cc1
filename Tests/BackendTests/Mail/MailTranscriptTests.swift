import Core
import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct MailTranscriptTests {
    @Test(arguments: ["verify", "reset"]) func `a mail matches its transcript`(_ purpose: String)
        async throws
    {
        let fixture = try await BackendFixture()
        _ = try await fixture.resetLink()
        let page = try await fixture.backend.mailbox.list(workspace: "main", purpose: purpose)
        let transcript = Transcript(title: "mails/\(purpose)", mail: try #require(page.items.first))
        #expect(try transcript.recordedText(as: "mails/\(purpose)") == transcript.text)
    }
}
