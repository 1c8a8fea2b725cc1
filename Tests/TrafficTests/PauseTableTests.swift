import Core
import FoundationEssentials
import Support
import Synchronization
import Testing
import Web

@testable import Traffic

/// The state machine of paused exchanges.
@Suite(.timeLimit(.minutes(10))) struct PauseTableTests {
    private static func exchange(_ id: String, in workspace: String = "main") -> PausedExchange {
        var context = FaultFixture.context()
        context.workspace = workspace
        return PausedExchange(
            id: id,
            TrafficRule(
                id: "rul_1", workspace: workspace, position: 1, draft: .init(.pauseRequest),
                createdAt: .distantPast), context,
            OutboundRequest(method: .get, url: "http://127.0.0.1/a"), nil, bodyNote: nil,
            at: .distantPast)
    }

    private static func outcome(_ resolution: PauseTable.Resolution) -> String {
        switch resolution {
        case .decided(_, let waiter): waiter == nil ? "decided" : "resumes"
        case .alreadyDecided(let outcome): "already \(outcome)"
        case .unknown: "unknown"
        }
    }

    private func expect(
        _ table: inout PauseTable, _ id: String, _ phase: PausedExchange.Phase?,
        in workspace: String, _ decision: PauseDecision, _ outcome: String
    ) {
        let resolution = table.decide(id, phase, in: workspace, decision)
        #expect(Self.outcome(resolution) == outcome)
    }

    @Test func `the first decision counts, and a later one is told what it was`() {
        var table = PauseTable()
        _ = table.admit(Self.exchange("exc_1"))
        #expect(table.list(in: "main").map(\.id) == ["exc_1"])
        expect(&table, "exc_1", .request, in: "main", .aborted, "decided")
        #expect(table.list(in: "main").isEmpty)
        expect(&table, "exc_1", nil, in: "main", .continued, "already aborted")
        expect(&table, "exc_2", nil, in: "main", .continued, "unknown")
    }

    @Test func `an exchange is decided only in its workspace and its phase`() {
        var table = PauseTable()
        _ = table.admit(Self.exchange("exc_1"))
        expect(&table, "exc_1", nil, in: "other", .aborted, "unknown")
        expect(&table, "exc_1", .response, in: "main", .aborted, "unknown")
        #expect(table.list(in: "main").count == 1)
    }

    @Test func `a task that waits is resumed by the decision`() async {
        let table = Guarded(PauseTable())
        let exchange = Self.exchange("exc_1")
        _ = table.value.withLock { $0.admit(exchange) }
        let decision = await withCheckedContinuation { waiter in
            table.value.withLock { table in
                _ = table.wait(for: exchange.key, waiter)
                guard
                    case .decided(_, let waiting?) = table.decide(
                        "exc_1", .request, in: "main", .timedOut)
                else { return waiter.resume(returning: .notPaused) }
                waiting.resume(returning: .timedOut)
            }
        }
        #expect(decision.outcome == .timedOut)
    }

    @Test func `a decision before the wait is returned to the task`() async {
        let table = Guarded(PauseTable())
        let exchange = Self.exchange("exc_1")
        table.value.withLock { table in
            _ = table.admit(exchange)
            _ = table.decide("exc_1", nil, in: "main", .continued)
        }
        let decision = await withCheckedContinuation { waiter in
            let decision = table.value.withLock { $0.wait(for: exchange.key, waiter) }
            waiter.resume(returning: decision ?? .notPaused)
        }
        #expect(decision.outcome == .continued)
    }

    @Test func `a close lets go of all and admits no others`() {
        var table = PauseTable()
        _ = table.admit(Self.exchange("exc_1"))
        let resumed = table.close()
        #expect(resumed.isEmpty && table.list(in: "main").isEmpty)
        let isAdmitted = table.admit(Self.exchange("exc_2"))
        #expect(!isAdmitted)
    }

    @Test func `no more than the limit are paused in a workspace`() {
        var table = PauseTable()
        let admitted = (0...PauseTable.maxPerWorkspace).map {
            table.admit(Self.exchange("exc_\($0)"))
        }
        #expect(admitted.firstIndex(of: false) == PauseTable.maxPerWorkspace)
        let isOtherAdmitted = table.admit(Self.exchange("exc_other", in: "ws_2"))
        #expect(isOtherAdmitted)
    }

    /// A value behind a lock, as the store has it.
    private final class Guarded: Sendable {
        let value: Mutex<PauseTable>
        init(_ table: PauseTable) { value = Mutex(table) }
    }
}
