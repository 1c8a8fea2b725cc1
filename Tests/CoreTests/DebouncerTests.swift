import Core
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct DebouncerTests {
    @Test func `what many ask for is done once, after the pause`() async {
        let frozen = FrozenWorld()
        let later = Debouncer(after: .seconds(1), frozen.world)
        let (done, doing) = AsyncStream.makeStream(of: Int.self)
        var turns = done.makeAsyncIterator()
        for number in 1...3 { later.schedule { doing.yield(number) } }
        while frozen.sleeping == 0 { await Task.yield() }
        frozen.advance(by: 1)
        #expect(await turns.next() == 1)
        later.schedule { doing.yield(4) }
        while frozen.sleeping == 0 { await Task.yield() }
        frozen.advance(by: 1)
        #expect(await turns.next() == 4)
        #expect(frozen.slept == [.seconds(1), .seconds(1)])
    }
}
