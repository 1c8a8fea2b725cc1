import Testing

@Suite(.timeLimit(.minutes(10))) struct WallTranscriptTests {
    static let cases = WallCase.document + WallCase.javaCodes + WallCase.passwords

    @Test(arguments: cases) func `Anonymous Wall's server answers as its transcript says`(
        _ situation: ContractCase
    ) async throws {
        let transcripts = try await situation.transcripts()
        #expect(transcripts.now == transcripts.kept)
    }

    @Test func `no two transcripts of Anonymous Wall's have one name`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
