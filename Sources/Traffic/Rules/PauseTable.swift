import Core
import FoundationEssentials
import Web

/// How the pause of an exchange ended.
enum PauseDecision: Sendable {
    case continued
    case editedRequest(OutboundRequest, [AppliedRule.Part])
    case editedResponse(UpstreamResponse, [AppliedRule.Part])
    case aborted
    case timedOut
    case released
    case disconnected
    case notPaused

    var outcome: AppliedRule.Outcome {
        switch self {
        case .continued: .continued
        case .editedRequest, .editedResponse: .edited
        case .aborted: .aborted
        case .timedOut: .timedOut
        case .released: .released
        case .disconnected: .disconnected
        case .notPaused: .notPaused
        }
    }

    var edited: [AppliedRule.Part] {
        switch self {
        case .editedRequest(_, let parts), .editedResponse(_, let parts): parts
        default: []
        }
    }
}

/// A value-type table of the paused exchanges, and of the tasks that wait for their decisions.
///
/// A pause is admitted, awaited and decided, in any order after the admission: the first decision
/// counts, and the table returns the task to resume after the lock is released.
struct PauseTable {
    typealias Waiter = CheckedContinuation<PauseDecision, Never>

    /// An exchange is paused at most once in each phase.
    struct Key: Hashable, Sendable {
        let exchange: String
        let phase: PausedExchange.Phase
    }

    private struct Pause {
        let exchange: PausedExchange
        /// In order of arrival.
        let number: Int
        var waiter: Waiter?
        /// Set if it was decided before its task waited.
        var decision: PauseDecision?
    }

    /// What a decision did.
    enum Resolution {
        /// It counts; the waiter, if the task waits already, has to be resumed.
        case decided(PausedExchange, Waiter?)
        /// An earlier decision counts.
        case alreadyDecided(AppliedRule.Outcome)
        case unknown
    }

    /// Exchanges paused at once in a workspace; further ones are not paused.
    static let maxPerWorkspace = 100

    private var pauses: [Key: Pause] = [:]
    /// The outcomes of ended pauses, to tell a later decision.
    private var ended = LRUCache<Key, AppliedRule.Outcome>(capacity: 1_024)
    private var lastNumber = 0
    private var isClosed = false

    /// Whether the exchange is paused now: not after the close, nor beyond the limit.
    mutating func admit(_ exchange: PausedExchange) -> Bool {
        let count = pauses.values.count { $0.exchange.workspace == exchange.workspace }
        guard !isClosed, count < Self.maxPerWorkspace else { return false }
        lastNumber += 1
        pauses[exchange.key] = Pause(exchange: exchange, number: lastNumber)
        return true
    }

    /// Registers the task that waits for the decision; returns the decision if there is one.
    mutating func wait(for key: Key, _ waiter: Waiter) -> PauseDecision? {
        guard let pause = pauses[key] else { return .released }
        guard let decision = pause.decision else {
            pauses[key]?.waiter = waiter
            return nil
        }
        pauses[key] = nil
        return decision
    }

    /// Decides about an exchange. Without `phase`, about whichever of its messages is paused.
    mutating func decide(
        _ id: String, _ phase: PausedExchange.Phase?, in workspace: String,
        _ decision: PauseDecision
    ) -> Resolution {
        guard let pause = pause(id, phase, in: workspace) else {
            let phases = phase.map { [$0] } ?? PausedExchange.Phase.allCases.reversed()
            for phase in phases {
                if let outcome = ended.value(for: Key(exchange: id, phase: phase)) {
                    return .alreadyDecided(outcome)
                }
            }
            return .unknown
        }
        return .decided(pause.exchange, end(pause, decision))
    }

    /// Lets go of the exchanges that `predicate` selects; returns the tasks to resume.
    mutating func release(where predicate: (PausedExchange) -> Bool) -> [Waiter] {
        pauses.values.filter { $0.decision == nil && predicate($0.exchange) }.compactMap {
            end($0, .released)
        }
    }

    /// Lets go of all, and admits no others.
    mutating func close() -> [Waiter] {
        isClosed = true
        return release { _ in true }
    }

    /// The exchanges that wait for a decision, oldest first.
    func list(in workspace: String) -> [PausedExchange] {
        pauses.values.filter { $0.decision == nil && $0.exchange.workspace == workspace }
            .sorted { $0.number < $1.number }.map(\.exchange)
    }

    private func pause(_ id: String, _ phase: PausedExchange.Phase?, in workspace: String) -> Pause?
    {
        let phases = phase.map { [$0] } ?? PausedExchange.Phase.allCases
        return phases.lazy.compactMap { pauses[Key(exchange: id, phase: $0)] }.first {
            $0.decision == nil && $0.exchange.workspace == workspace
        }
    }

    private mutating func end(_ pause: Pause, _ decision: PauseDecision) -> Waiter? {
        let key = pause.exchange.key
        ended.set(key, decision.outcome)
        guard let waiter = pause.waiter else {
            pauses[key]?.decision = decision
            return nil
        }
        pauses[key] = nil
        return waiter
    }
}

extension PausedExchange {
    var key: PauseTable.Key { PauseTable.Key(exchange: id, phase: phase) }
}
