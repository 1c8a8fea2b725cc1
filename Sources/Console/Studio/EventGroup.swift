import Core
import FoundationEssentials

/// Events that one thing led to: a launch, a submit, something done by hand.
struct EventGroup {
    /// Oldest first; the first began it.
    var events: [Event]

    /// Cuts a timeline into bursts by what caused what.
    static func groups(of events: [Event]) -> [EventGroup] {
        let graph = EventGraph(events)
        var bursts: [EventGroup] = []
        var home: [Int64: Int] = [:]
        /// The burst of the nearest cause that has one: a mail is told of
        /// before the call it was sent for.
        func place(of event: Event) -> Int? {
            var at = event
            var seen: Set<Int64> = []
            while !at.startsNewGroup(graph), seen.insert(at.id).inserted,
                let cause = graph.cause(of: at)
            {
                if let index = home[cause.id] { return index }
                at = cause
            }
            return nil
        }
        for event in events {
            if let index = place(of: event) {
                home[event.id] = index
                bursts[index].events.append(event)
            } else if let index = bursts.indices.last, shouldJoin(bursts[index], event) {
                home[event.id] = index
                bursts[index].events.append(event)
            } else {
                home[event.id] = bursts.count
                bursts.append(EventGroup(events: [event]))
            }
        }
        return bursts
    }

    /// What nobody named a cause for still belongs to what happened at the
    /// same moment; a mail is caught while its call is under way.
    private static func shouldJoin(_ burst: EventGroup, _ event: Event) -> Bool {
        let begin: [Event.Kind] = [
            .appLaunched, .actionSubmitted, .appKilled, .workspaceReset, .mailUsed,
            .storageRevealed, .stateRestored,
        ]
        guard let last = burst.events.last, !begin.contains(event.kind) else { return false }
        // So were conditions; those of a set are one thing.
        if event.kind == .faultChanged, event.details["change"] == "added",
            last.kind != .faultChanged
        {
            return false
        }
        // What is stored without a cause was done by hand.
        let written: [Event.Kind] = [.storageWritten, .storageDeleted]
        if written.contains(event.kind), last.kind != event.kind { return false }
        return event.at.timeIntervalSince(last.at) < 1
    }

    /// What it is called on the timeline; a start is the first or a later one.
    func title(isRelaunch: Bool) -> String {
        guard let first = events.first else { return "" }
        if let submitted = events.first(where: { $0.kind == .actionSubmitted }),
            first.kind != .appLaunched
        {
            return submitted.details["label"] ?? submitted.subject ?? "Submit"
        }
        return switch first.kind {
        case .appLaunched: isRelaunch ? "Relaunch" : "Launch"
        case .appKilled: "Kill"
        case .actionSubmitted: "Submit"
        case .screenShown: "Open"
        case .exchangeEnded: first.details["cause"] == "refresh" ? "Refresh" : "Call"
        case .storageWritten, .storageDeleted: isManualTokenExpiry ? "Condition" : "Storage"
        case .storageRevealed: "Reveal"
        case .mailReceived, .mailUsed, .mailboxCleared: "Mail"
        case .sessionBegan, .sessionChanged, .sessionEnded:
            isManualTokenExpiry ? "Condition" : "Session"
        case .ruleFailed, .actionFailed: "Failure"
        case .exchangesCleared, .exchangesImported: "Traffic"
        case .faultApplied, .faultChanged: "Condition"
        case .deviceChanged: "Device"
        case .appsReloaded: "Apps"
        case .clockChanged: "Clock"
        case .workspaceReset: "Reset"
        case .accountAdded, .accountChanged, .accountRemoved: "Account"
        case .snapshotCreated, .snapshotRestored, .snapshotRemoved: "Snapshot"
        case .stateRestored: "Restore"
        }
    }

    /// Whether somebody made a token expire.
    var isManualTokenExpiry: Bool {
        events.contains { $0.kind == .sessionChanged && $0.isManualExpiry }
    }
}

extension Event {
    var isManualExpiry: Bool { details["kind"] == "expiredByHand" }

    /// Whether it is told apart from what led to it, because somebody did it
    /// by hand later: a moment was put back, a mail's link was followed.
    fileprivate func startsNewGroup(_ graph: EventGraph) -> Bool {
        switch kind {
        case .stateRestored: true
        case .mailUsed: graph.cause(of: self)?.kind == .mailReceived
        default: false
        }
    }
}
