import FoundationEssentials
import Surroundings

/// Events that one thing led to: a launch, a submit, something done by hand.
struct Burst {
    /// Oldest first; the first began it.
    var events: [Event]

    /// Cuts a timeline into bursts by what caused what.
    static func cut(_ events: [Event]) -> [Burst] {
        var bursts: [Burst] = []
        var home: [Int64: Int] = [:]
        for event in events {
            if let cause = event.cause, let index = home[cause] {
                home[event.id] = index
                bursts[index].events.append(event)
            } else if let index = bursts.indices.last,
                joins(bursts[index], event)
            {
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
        guard let last = burst.events.last,
            ![.launched, .submitted, .killed, .reset].contains(event.kind)
        else { return false }
        return event.at.timeIntervalSince(last.at) < 1
    }

    /// What it is called on the timeline.
    var title: String {
        guard let first = events.first else { return "" }
        return switch first.kind {
        case .launched:
            first.facts["relaunch"] == "true" ? "Relaunch" : "Launch"
        case .killed: "Killed"
        case .submitted: first.facts["label"] ?? first.subject ?? "Submit"
        case .screen: "Opened"
        case .exchange: first.facts["cause"] == "refresh" ? "Refresh" : "Call"
        case .stored, .forgotten: "Storage"
        case .revealed: "Revealed"
        case .mail, .mailUsed, .mailForgotten: "Mail"
        case .sessionBegan, .sessionChanged, .sessionEnded: "Session"
        case .ruleFailed, .failed: "Failed"
        case .exchangesForgotten: "Traffic"
        case .device: "Device"
        case .appsRead: "Apps"
        case .reset: "Emptied"
        }
    }
}
