import Testing

@Suite(.timeLimit(.minutes(10))) struct MysticaTranscriptTests {
    static let cases =
        MysticaCase.accounts + MysticaCase.sessions + MysticaCase.mails + MysticaCase.edges

    @Test(arguments: cases) func `responses of Mystica's server match their transcripts`(
        _ situation: MysticaCase
    )
        async throws
    {
        let fixture = try await BackendFixture()
        let request = try await situation.request(fixture)
        let reply = await fixture.send(request)
        let transcript = Transcript(title: situation.name, request, reply)
        #expect(try transcript.recordedText(as: situation.name) == transcript.text)
    }

    @Test func `transcript names of Mystica's server are unique`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
