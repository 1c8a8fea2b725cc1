import Backend
import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct ClarityTranscriptTests {
    static let cases =
        ClarityCase.requestChecks + ClarityCase.signUp + ClarityCase.signIn + ClarityCase.accounts
        + ClarityCase.refresh + ClarityCase.update + ClarityCase.codeRequests
        + ClarityCase.passwordResets + ClarityCase.links + ClarityCase.own + ClarityCase.cognito
        + ClarityCase.cognitoCodes + ClarityCase.administrators + ClarityCase.anonymous
        + ClarityCase.customTokens + ClarityCase.emailLinks + ClarityCase.phones
        + ClarityCase.providers + ClarityCase.factors + ClarityCase.emulator

    @Test(arguments: cases) func `the responses of Clarity's servers match their transcripts`(
        _ contractCase: ContractCase
    ) async throws {
        let (stored, current) = try await contractCase.transcripts()
        #expect(current == stored)
    }

    @Test func `transcript names are unique`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    @Test(arguments: ["verify", "reset"]) func `a mail matches its transcript`(
        _ purpose: String
    ) async throws {
        let fixture = try await BackendFixture()
        _ = try await fixture.verificationCode(await fixture.signUpWithFirebase().idToken)
        _ = try await fixture.resetCode(continueURL: "http://localhost:5173/done")
        let page = try await fixture.backend.mailbox.list(workspace: "main", purpose: purpose)
        let transcript = Transcript(
            title: "clarity/mails/\(purpose)", mail: try #require(page.items.first))
        #expect(try transcript.recordedText(as: "clarity/mails/\(purpose)") == transcript.text)
    }
}
