import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackgroundQueueTests {
    private struct WorkError: Error {}

    @Test func `run returns the result of the work or throws its error`() async throws {
        let queue = BackgroundQueue("test")
        #expect(try await queue.run { 6 * 7 } == 42)
        await #expect(throws: WorkError.self) { try await queue.run { throw WorkError() } }
    }
}
