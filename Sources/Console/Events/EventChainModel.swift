import Core
import FoundationEssentials
import Inspection
import Templates
import Web

extension EventChainModel {
    /// The chain that contains `event`.
    ///
    /// `roots` are the base paths of the app's backends, which are removed from the paths of calls.
    init(_ graph: EventGraph, around current: Event?, roots: [String]) {
        steps = (current.map(graph.chain) ?? []).map { step in
            let event = step.event
            return [
                "id": String(event.id), "depth": min(step.depth, 5), "shape": event.shape,
                "title": event.displayTitle(below: roots), "at": event.at.iso8601,
                "time": Format.timeOfDayMilliseconds(event.at), "href": event.href,
                "isCurrent": event.id == current?.id,
            ]
        }
    }
}

extension Event {
    /// The page of the event's subject; else the event's own page.
    var href: String {
        guard let subject else { return Links.event(id) }
        return switch kind {
        case .exchangeEnded: Links.exchange(subject)
        case .mailReceived, .mailUsed: Links.mail(subject)
        case .sessionBegan, .sessionChanged, .sessionEnded: Links.session(subject)
        case .faultApplied: details["exchange"].map { Links.exchange($0) } ?? Links.event(id)
        default: Links.event(id)
        }
    }

    /// The event's title; for a call, with the path relative to the backend's base.
    func displayTitle(below roots: [String]) -> String {
        guard kind == .exchangeEnded, let method = details["method"], let path = details["path"]
        else { return title }
        let outcome = details["status"] ?? "no response"
        return "\(method) \(Format.path(path, below: roots)) \(outcome)"
    }

    /// The event's symbol on every page.
    var shape: TimelineModel.Shape { TimelineEntry(self)?.shape ?? .screen }
}

/// The causes and effects around one event (`parts/eventchain`).
struct EventChainModel: Encodable, Sendable {
    /// Empty if none of the events is still stored.
    var steps: [TemplateModel]
}
