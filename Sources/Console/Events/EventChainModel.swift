import Core
import FoundationEssentials
import Inspection
import Web

extension EventChainModel {
    /// The chain that contains `event`.
    ///
    /// `roots` are the base paths of the app's backends, which are removed from the paths of calls.
    init(_ graph: EventGraph, around event: Event?, roots: [String]) {
        guard let event else {
            self = .none
            return
        }
        steps = graph.chain(of: event).map { step in
            Step(
                id: String(step.event.id), depthClass: "event-depth-\(min(step.depth, 5))",
                shape: step.event.shape, title: step.event.displayTitle(below: roots),
                at: step.event.at.iso8601, time: Format.timeOfDayMilliseconds(step.event.at),
                href: step.event.href, isCurrent: step.event.id == event.id)
        }
        anySteps = !steps.isEmpty
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
    /// False if none of the events is still stored.
    var anySteps: Bool
    var steps: [Step]

    struct Step: Encodable, Sendable {
        /// The event's id.
        var id: String
        /// `event-depth-0` … `event-depth-5`: the depth, as indentation.
        var depthClass: String
        /// A symbol `mark-<shape>` of `icons.svg`.
        var shape: TimelineModel.Shape
        var title: String
        /// ISO 8601; `time` is the system time, `14:34:50.122`.
        var at: String
        var time: String
        var href: String
        /// Whether the chain was built around this event.
        var isCurrent: Bool
    }

    static let none = EventChainModel(anySteps: false, steps: [])
}
