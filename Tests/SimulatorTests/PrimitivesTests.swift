import Support
import Synchronization
import Testing

@testable import Simulator

/// The small parts everything else leans on.
@Suite(.timeLimit(.minutes(10))) struct PrimitivesTests {
    @Test func `a gate lets one through at a time, in the order they came`() async throws {
        let gate = KeyedLock<String>()
        let order = Notes()
        await gate.lock("a")
        // Another key is nobody's business.
        await gate.lock("b")
        gate.unlock("b")
        var waiting: [Task<Void, Never>] = []
        for number in 1...3 {
            waiting.append(
                Task {
                    await gate.lock("a")
                    order.list.withLock { $0.append(number) }
                    gate.unlock("a")
                })
            #expect(await eventually { gate.waiterCount("a") == number })
        }
        #expect(order.list.withLock { $0 }.isEmpty)
        gate.unlock("a")
        for task in waiting { await task.value }
        #expect(order.list.withLock { $0 } == [1, 2, 3])
        await gate.lock("a")
        gate.unlock("a")
    }

    @Test func `a single flight works once for all, and then again`() async throws {
        let flight = SingleFlight<String, Int>()
        let latch = Latch()
        let runs = Notes()
        let work: @Sendable () async -> Int = {
            await latch.wait()
            return runs.list.withLock { runs in
                runs.append(0)
                return runs.count
            }
        }
        async let first = flight.run("a", work)
        async let second = flight.run("a", work)
        #expect(await eventually { flight.waiterCount("a") == 2 })
        latch.open()
        #expect(await [first, second] == [1, 1])
        #expect(await flight.run("a", work) == 2)
    }

    @Test func `what was used last stays, and what must stay does`() {
        var recent = LRUCache<Int, String>(capacity: 8)
        for key in 0..<8 { recent.set(key, "\(key)") }
        _ = recent.value(for: 0)
        recent.set(8, "8") { $0 != 1 }
        // A quarter went: 2 and 3, for 0 was used and 1 may not go.
        #expect(recent.count == 7)
        #expect(recent.value(for: 0) == "0")
        #expect(recent.value(for: 1) == "1")
        #expect(recent.value(for: 2) == nil)
        #expect(recent.value(for: 3) == nil)
        #expect(recent.value(for: 4) == "4")
        recent.set(0, "zero")
        #expect(recent.value(for: 0) == "zero")
        recent.removeAll { key, _ in key > 4 }
        #expect(recent.count == 3)
    }
}

/// Numbers noted from several tasks.
private final class Notes: Sendable { let list = Mutex<[Int]>([]) }
