import Core
import Support
import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoTranscriptTests {
    static let cases =
        SocotoCases.signUps + SocotoCases.signIns + SocotoCases.refreshes + SocotoCases.logouts
        + SocotoCases.users + SocotoCases.updates + SocotoCases.mailRequests
        + SocotoCases.verifications + SocotoCases.followedLinks + SocotoCases.codeExchanges
        + SocotoCases.edges + SocotoCases.factors + SocotoCases.factorAdministration
        + SocotoCases.providers + SocotoCases.callbacks + SocotoCases.identities
        + SocotoCases.oneTimeCodes + SocotoCases.phones + SocotoCases.administration
        + SocotoCases.profileReads + SocotoCases.profileWrites + SocotoCases.tables
        + SocotoCases.tableEdges

    @Test(arguments: cases) func `Socoto's responses match their transcripts`(
        _ contractCase: ContractCase
    )
        async throws
    {
        let (stored, current) = try await contractCase.transcripts()
        #expect(stored == current)
    }

    @Test func `transcript names are unique`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    @Test(arguments: ["verify", "reset", "email change", "login", "invite", "reauthentication"])
    func `a mail matches its transcript`(
        _ purpose: String
    ) async throws {
        let client = SocotoClient(fixture: try await BackendFixture())
        let token = try await client.createUser().accessToken
        await client.recover()
        await client.send(.put, "/auth/v1/user", ["email": "ada@king.example"], bearer: token)
        await client.send(.get, "/auth/v1/reauthenticate", bearer: token)
        client.fixture.frozen.advance(by: 1)
        await client.send(.post, "/auth/v1/otp", ["email": .string(SocotoClient.email)])
        await client.administrate(.post, "/invite", ["email": "eve@example.com"])
        let page = try await client.fixture.backend.mailbox.list(
            workspace: "main", purpose: purpose)
        let name = "socoto/mails/" + purpose.replacing(" ", with: "-")
        let transcript = Transcript(title: name, mail: try #require(page.items.first))
        #expect(try transcript.recordedText(as: name) == transcript.text)
    }
}
