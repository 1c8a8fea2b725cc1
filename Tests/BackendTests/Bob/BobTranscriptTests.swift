import Testing

@Suite(.timeLimit(.minutes(10))) struct BobTranscriptTests {
    static let cases = BobCase.specification + BobCase.nestAccounts + BobCase.nestSessions

    @Test(arguments: cases) func `responses of Bob's server match their transcripts`(
        _ situation: ContractCase
    ) async throws {
        let transcripts = try await situation.transcripts()
        #expect(transcripts.current == transcripts.recorded)
    }

    @Test func `transcript names of Bob's server are unique`() {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    }
}
