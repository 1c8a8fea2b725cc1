import Testing
import Web

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct SocotoTranscriptTests {
    static let cases =
        SocotoCases.signingUp + SocotoCases.tokens + SocotoCases.refreshes + SocotoCases.signingOut
        + SocotoCases.users + SocotoCases.updates + SocotoCases.asking + SocotoCases.answering
        + SocotoCases.following + SocotoCases.exchanging + SocotoCases.edges + SocotoCases.reading
        + SocotoCases.writing

    @Test(arguments: cases) func `Socoto answers as its transcript says`(_ situation: ContractCase)
        async throws
    {
        let (kept, now) = try await situation.transcripts()
        #expect(kept == now)
    }

    @Test func `no two transcripts have one name`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }

    @Test(arguments: ["verify", "reset", "email change"]) func `a mail reads as its transcript`(
        _ purpose: String
    ) async throws {
        let client = SocotoClient(house: try await BackendFixture())
        let token = try await client.person().accessToken
        await client.recover()
        await client.send(.put, "/auth/v1/user", ["email": "ada@king.example"], bearer: token)
        let page = try await client.house.backend.mailbox.list(workspace: "main", purpose: purpose)
        let name = "socoto/mails/" + purpose.replacing(" ", with: "-")
        let transcript = Transcript(title: name, mail: try #require(page.items.first))
        #expect(try transcript.kept(as: name) == transcript.text)
    }
}
