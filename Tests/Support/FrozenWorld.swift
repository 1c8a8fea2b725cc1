@testable package import Core
package import FoundationEssentials
import Synchronization

/// A world whose clock is stopped and moved by the test.
///
/// Identifiers are numbered (`exc_0001`), randomness is a fixed sequence, and a sleep ends when the
/// clock has been moved past its end.
package final class FrozenWorld: Sendable {
    private let state: Mutex<State>

    private struct State {
        var now: Date
        var counters: [String: Int] = [:]
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        var sleepers: [Sleeper] = []
        var lines: [String] = []
        var slept: [Duration] = []
        /// Whether sleeps move the clock and return immediately.
        var skipsSleeps = false
        var nextSleeper = 0
    }

    private struct Sleeper {
        var id: Int
        var until: Date
        var continuation: CheckedContinuation<Void, any Error>
    }

    /// 21 November 2026, 14:35 UTC.
    package static let noon = Date(timeIntervalSince1970: 1_795_271_700)

    /// With `skippingSleeps` every sleep moves the clock and returns immediately.
    package init(now: Date = FrozenWorld.noon, skippingSleeps: Bool = false) {
        var initial = State(now: now)
        initial.skipsSleeps = skippingSleeps
        state = Mutex(initial)
    }

    /// The world for the code under test.
    package var world: World {
        World(
            now: { [self] in now }, makeID: { [self] in identifier($0) },
            randomBytes: { [self] in random($0) }, sleep: { [self] in try await sleep($0) },
            log: Log { [self] line in state.withLock { $0.lines.append(line) } })
    }

    package var now: Date { state.withLock { $0.now } }

    /// All logged lines.
    package var lines: [String] { state.withLock { $0.lines } }

    /// The durations of all sleeps, including those that have not ended.
    package var slept: [Duration] { state.withLock { $0.slept } }

    /// Number of sleeps that have not ended.
    package var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// Whether a sleep ends within `seconds` from now.
    package func wakes(in seconds: ClosedRange<Double>) -> Bool {
        state.withLock { state in
            state.sleepers.contains { seconds.contains($0.until.timeIntervalSince(state.now)) }
        }
    }

    /// Moves the clock and ends the sleeps that are due.
    package func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            let due = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func identifier(_ prefix: String) -> String {
        state.withLock { state in
            let count = state.counters[prefix, default: 0] + 1
            state.counters[prefix] = count
            let digits = String(count)
            return prefix + "_" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    /// SplitMix64: different for every call, the same in every run.
    private func random(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                state.seed &+= 0x9E37_79B9_7F4A_7C15
                var z = state.seed
                z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
                z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
                return UInt8(truncatingIfNeeded: z ^ (z >> 31))
            }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let seconds =
            Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let (id, isSkipped) = state.withLock { state in
            state.slept.append(duration)
            if state.skipsSleeps { state.now += seconds }
            state.nextSleeper += 1
            return (state.nextSleeper, state.skipsSleeps)
        }
        if isSkipped { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCanceled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers.append(
                        Sleeper(id: id, until: state.now + seconds, continuation: continuation))
                    return false
                }
                if isCanceled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let index = state.sleepers.firstIndex { $0.id == id }
                return index.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
