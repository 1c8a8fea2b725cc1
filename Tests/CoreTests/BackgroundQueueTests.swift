import Core
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackgroundQueueTests {
    private struct Dropped: Error {}

    @Test func `it hands back what comes of the work`() async throws {
        let bench = BackgroundQueue("test")
        #expect(try await bench.run { 6 * 7 } == 42)
        await #expect(throws: Dropped.self) { try await bench.run { throw Dropped() } }
    }
}
