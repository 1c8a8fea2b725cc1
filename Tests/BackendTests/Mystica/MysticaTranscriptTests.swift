import Testing

@Suite(.timeLimit(.minutes(10))) struct MysticaTranscriptTests {
    static let cases =
        MysticaCase.accounts + MysticaCase.sessions + MysticaCase.mails + MysticaCase.edges

    @Test(arguments: cases) func `Mystica answers as its transcript says`(_ situation: MysticaCase)
        async throws
    {
        let fixture = try await BackendFixture()
        let request = try await situation.request(fixture)
        let reply = await fixture.send(request)
        let transcript = Transcript(title: situation.name, request, reply)
        #expect(try transcript.kept(as: situation.name) == transcript.text)
    }

    @Test func `no two transcripts have one name`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
