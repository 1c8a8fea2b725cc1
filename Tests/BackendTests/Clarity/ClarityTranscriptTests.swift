import Backend
import Testing

@Suite(.timeLimit(.minutes(10))) struct ClarityTranscriptTests {
    static let cases =
        ClarityCase.gate + ClarityCase.signUp + ClarityCase.signIn + ClarityCase.people
        + ClarityCase.refresh + ClarityCase.update + ClarityCase.sending + ClarityCase.using
        + ClarityCase.links + ClarityCase.own + ClarityCase.cognito + ClarityCase.cognitoCodes

    @Test(arguments: cases) func `Clarity's servers answer as their transcripts say`(
        _ situation: ContractCase
    ) async throws {
        let transcripts = try await situation.transcripts()
        #expect(transcripts.now == transcripts.kept)
    }

    @Test func `no two transcripts of Clarity's have one name`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    @Test(arguments: ["verify", "reset"]) func `Clarity's mails read as their transcripts`(
        _ purpose: String
    ) async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.verificationCode(await fixture.person().idToken)
        _ = try await fixture.resetCode(next: "http://localhost:5173/done")
        let page = try await fixture.backend.mailbox.list(workspace: "main", purpose: purpose)
        let transcript = Transcript(
            title: "clarity/mails/\(purpose)", mail: try #require(page.items.first))
        #expect(try transcript.kept(as: "clarity/mails/\(purpose)") == transcript.text)
    }
}
