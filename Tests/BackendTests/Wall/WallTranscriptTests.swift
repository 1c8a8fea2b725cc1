import Testing

@Suite(.timeLimit(.minutes(10))) struct WallTranscriptTests {
    static let cases =
        WallCase.specification + WallCase.micronautCodes + WallCase.passwords + WallCase.sessions
        + WallCase.posts

    @Test(arguments: cases) func `responses of Anonymous Wall's server match their transcripts`(
        _ situation: ContractCase
    ) async throws {
        let transcripts = try await situation.transcripts()
        #expect(transcripts.current == transcripts.recorded)
    }

    @Test func `transcript names of Anonymous Wall's server are unique`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
