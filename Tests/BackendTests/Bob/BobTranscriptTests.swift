import Testing

@Suite(.timeLimit(.minutes(10))) struct BobTranscriptTests {
    static let cases = BobCase.document + BobCase.nestAccounts + BobCase.nestSessions

    @Test(arguments: cases) func `Bob's server answers as its transcript says`(
        _ situation: ContractCase
    ) async throws {
        let transcripts = try await situation.transcripts()
        #expect(transcripts.now == transcripts.kept)
    }

    @Test func `no two transcripts of Bob's have one name`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
