package import Core
import FoundationEssentials

/// A chain of events with one trigger: a launch, a submit, a manual action.
package struct EventGroup {
    /// Oldest first; the first is the trigger.
    package var events: [Event]

    /// Splits a timeline into groups by causality.
    package static func groups(of events: [Event]) -> [EventGroup] {
        let graph = EventGraph(events)
        var groups: [EventGroup] = []
        var groupIndices: [Int64: Int] = [:]
        /// The group of the nearest cause that has one: a mail's event precedes that of the call
        /// that sent it.
        func groupIndex(of event: Event) -> Int? {
            var current = event
            var visited: Set<Int64> = []
            while !current.startsNewGroup(graph), let cause = graph.cause(of: current) {
                if let index = groupIndices[cause.id] { return index }
                guard visited.insert(cause.id).inserted else { break }
                current = cause
            }
            return nil
        }
        for event in events {
            let joinsLast = groups.last.map { shouldJoin($0, event) } ?? false
            let index = groupIndex(of: event) ?? groups.count - (joinsLast ? 1 : 0)
            if index == groups.count { groups.append(EventGroup(events: [])) }
            groupIndices[event.id] = index
            groups[index].events.append(event)
        }
        return groups
    }

    /// Whether an event without a cause belongs to the last group because it happened at the same
    /// time, such as a mail received while its call is in flight.
    private static func shouldJoin(_ group: EventGroup, _ event: Event) -> Bool {
        switch event.kind {
        case .appLaunched, .actionSubmitted, .appKilled, .appBackgrounded, .appForegrounded,
            .workspaceReset, .mailUsed, .storageRevealed, .stateRestored:
            return false
        default: break
        }
        guard let last = group.events.last else { return false }
        // A fault is added manually, and a storage write without a cause is manual; the faults of a
        // preset form one group.
        let isManual =
            switch event.kind {
            case .faultChanged: event.details["change"] == "added"
            case .storageWritten, .storageDeleted: true
            default: false
            }
        if isManual, last.kind != event.kind { return false }
        return event.at.timeIntervalSince(last.at) < 1
    }

    /// The title on the timeline; `isRelaunch` distinguishes later launches from the first.
    package func title(isRelaunch: Bool) -> String {
        guard let first = events.first else { return "" }
        if let submitted = events.first(where: { $0.kind == .actionSubmitted }),
            first.kind != .appLaunched
        {
            return submitted.details["label"] ?? submitted.subject ?? "Submit"
        }
        return switch first.kind {
        case .appLaunched: isRelaunch ? "Relaunch" : "Launch"
        case .appKilled: "Kill"
        case .appBackgrounded: "Background"
        case .appForegrounded: "Foreground"
        case .actionSubmitted: "Submit"
        case .screenShown: "Open"
        case .exchangeEnded: first.details["cause"] == "refresh" ? "Refresh" : "Request"
        case .storageWritten, .storageDeleted: isManualTokenExpiry ? "Fault" : "Storage"
        case .storageRevealed: "Reveal"
        case .mailReceived, .mailUsed, .mailChanged, .mailDeleted, .mailboxCleared: "Mail"
        case .sessionBegan, .sessionChanged, .sessionEnded:
            isManualTokenExpiry ? "Fault" : "Session"
        case .ruleFailed, .actionFailed: "Failure"
        case .exchangesCleared, .exchangesImported, .recordingChanged: "Traffic"
        case .faultApplied, .faultChanged: "Fault"
        case .exchangePaused, .exchangeContinued, .ruleChanged: "Rule"
        case .deviceChanged, .deviceRemoved: "Device"
        case .backendChanged: "Backend"
        case .appsReloaded: "Apps"
        case .clockChanged: "Clock"
        case .workspaceReset: "Reset"
        case .accountAdded, .accountChanged, .accountRemoved: "Account"
        case .snapshotCreated, .snapshotRestored, .snapshotRemoved: "Snapshot"
        case .stateRestored: "Restore"
        }
    }

    /// Whether a token was expired manually.
    package var isManualTokenExpiry: Bool {
        events.contains { $0.kind == .sessionChanged && $0.isManualExpiry }
    }
}

extension Event {
    package var isManualExpiry: Bool { details["kind"] == "expiredManually" }

    /// Whether the server ended the session.
    package var isRevocation: Bool { details["kind"] == "endedByServer" }

    /// Whether the event starts a group although it has a cause, because it is a later manual
    /// action: restoring a state, opening a mail's link.
    fileprivate func startsNewGroup(_ graph: EventGraph) -> Bool {
        switch kind {
        case .stateRestored: true
        case .mailUsed: graph.cause(of: self)?.kind == .mailReceived
        default: false
        }
    }
}
