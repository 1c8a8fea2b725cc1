import Support
import Synchronization
import Testing

@testable import Simulator

/// Locks and single flights.
@Suite(.timeLimit(.minutes(10))) struct PrimitivesTests {
    @Test func `a keyed lock admits one task at a time, in order of arrival`() async throws {
        let lock = KeyedLock<String>()
        let order = NumberLog()
        await lock.lock("a")
        // Other keys are independent.
        await lock.lock("b")
        lock.unlock("b")
        var waiting: [Task<Void, Never>] = []
        for number in 1...3 {
            waiting.append(
                Task {
                    await lock.lock("a")
                    order.numbers.withLock { $0.append(number) }
                    lock.unlock("a")
                })
            #expect(await eventually { lock.waiterCount("a") == number })
        }
        #expect(order.numbers.withLock { $0 }.isEmpty)
        lock.unlock("a")
        for task in waiting { await task.value }
        #expect(order.numbers.withLock { $0 } == [1, 2, 3])
        await lock.lock("a")
        lock.unlock("a")
    }

    @Test func `a single flight runs once for concurrent callers, and then again`() async throws {
        let flight = SingleFlight<String, Int>()
        let latch = Latch()
        let runs = NumberLog()
        let work: @Sendable () async -> Int = {
            await latch.wait()
            return runs.numbers.withLock { runs in
                runs.append(0)
                return runs.count
            }
        }
        async let first = flight.run("a", work)
        async let second = flight.run("a", work)
        #expect(await eventually { flight.waiterCount("a") == 2 })
        latch.open()
        #expect(try await [first, second] == [1, 1])
        #expect(try await flight.run("a", work) == 2)
    }
}

/// Numbers appended by several tasks.
private final class NumberLog: Sendable { let numbers = Mutex<[Int]>([]) }
