import Core
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct DebouncerTests {
    @Test func `several requests run the work once, after the delay`() async {
        let frozen = FrozenWorld()
        let debouncer = Debouncer(after: .seconds(1), frozen.world)
        let (runs, continuation) = AsyncStream.makeStream(of: Int.self)
        var iterator = runs.makeAsyncIterator()
        for number in 1...3 { debouncer.schedule { continuation.yield(number) } }
        while frozen.sleeping == 0 { await Task.yield() }
        frozen.advance(by: 1)
        #expect(await iterator.next() == 1)
        debouncer.schedule { continuation.yield(4) }
        while frozen.sleeping == 0 { await Task.yield() }
        frozen.advance(by: 1)
        #expect(await iterator.next() == 4)
        #expect(frozen.slept == [.seconds(1), .seconds(1)])
    }
}
