import Core
import FoundationEssentials
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
                id: String(step.event.id), depthClass: "thread-\(min(step.depth, 5))",
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
        case .faultApplied: details["exchange"].map(Links.exchange) ?? Links.event(id)
        default: Links.event(id)
        }
    }

    /// The event's title; for a call, with the path relative to the backend's base.
    func displayTitle(below roots: [String]) -> String {
        guard kind == .exchangeEnded, let method = details["method"], let path = details["path"]
        else {
            return title
        }
        let outcome = details["status"] ?? "no answer"
        return "\(method) \(Format.path(path, below: roots)) \(outcome)"
    }

    /// The event's symbol on every page.
    var shape: TimelineModel.Shape { TimelineEntry(self)?.shape ?? .screen }
}
