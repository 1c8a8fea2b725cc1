import FoundationEssentials
import Surroundings

/// Events that one thing led to: a launch, a submit, something done by hand.
struct Burst {
    /// Oldest first; the first began it.
    var events: [Event]

    /// Cuts a timeline into bursts by what caused what.
    static func cut(_ events: [Event]) -> [Burst] {
        let graph = EventGraph(events)
        var bursts: [Burst] = []
        var home: [Int64: Int] = [:]
        /// The burst of the nearest cause that has one: a mail is told of
        /// before the call it was sent for.
        func place(of event: Event) -> Int? {
            var at = event
            var seen: Set<Int64> = []
            while !at.beginsAnew(graph), seen.insert(at.id).inserted,
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
            } else if let index = bursts.indices.last, joins(bursts[index], event) {
                home[event.id] = index
                bursts[index].events.append(event)
            } else {
                home[event.id] = bursts.count
                bursts.append(Burst(events: [event]))
            }
        }
        return bursts
    }

    /// What nobody named a cause for still belongs to what happened at the
    /// same moment; a mail is caught while its call is under way.
    private static func joins(_ burst: Burst, _ event: Event) -> Bool {
        let begin: [Event.Kind] = [
            .launched, .submitted, .killed, .reset, .mailUsed, .revealed, .momentRestored,
        ]
        guard let last = burst.events.last, !begin.contains(event.kind) else { return false }
        // So were conditions; those of a set are one thing.
        if event.kind == .conditionChanged, event.facts["change"] == "added",
            last.kind != .conditionChanged
        {
            return false
        }
        // What is stored without a cause was done by hand.
        let written: [Event.Kind] = [.stored, .forgotten]
        if written.contains(event.kind), last.kind != event.kind { return false }
        return event.at.timeIntervalSince(last.at) < 1
    }

    /// What it is called on the timeline; a start is the first or a later one.
    func title(isLater: Bool) -> String {
        guard let first = events.first else { return "" }
        if let submitted = events.first(where: { $0.kind == .submitted }), first.kind != .launched {
            return submitted.facts["label"] ?? submitted.subject ?? "Submit"
        }
        return switch first.kind {
        case .launched: isLater ? "Relaunch" : "Launch"
        case .killed: "Kill"
        case .submitted: "Submit"
        case .screen: "Open"
        case .exchange: first.facts["cause"] == "refresh" ? "Refresh" : "Call"
        case .stored, .forgotten: isByHand ? "Condition" : "Storage"
        case .revealed: "Reveal"
        case .mail, .mailUsed, .mailForgotten: "Mail"
        case .sessionBegan, .sessionChanged, .sessionEnded: isByHand ? "Condition" : "Session"
        case .ruleFailed, .failed: "Failure"
        case .exchangesForgotten, .exchangesImported: "Traffic"
        case .conditionApplied, .conditionChanged: "Condition"
        case .device: "Device"
        case .appsRead: "Apps"
        case .clock: "Clock"
        case .reset: "Reset"
        case .accountAdded, .accountChanged, .accountRemoved: "Account"
        case .snapshotTaken, .snapshotRestored, .snapshotRemoved: "Snapshot"
        case .momentRestored: "Restore"
        }
    }

    /// Whether somebody made a token expire.
    var isByHand: Bool { events.contains { $0.kind == .sessionChanged && $0.isExpiredByHand } }
}

extension Event {
    var isExpiredByHand: Bool { facts["kind"] == "expiredByHand" }

    /// Whether it is told apart from what led to it, because somebody did it
    /// by hand later: a moment was put back, a mail's link was followed.
    fileprivate func beginsAnew(_ graph: EventGraph) -> Bool {
        switch kind {
        case .momentRestored: true
        case .mailUsed: graph.cause(of: self)?.kind == .mail
        default: false
        }
    }
}
