import FoundationEssentials
import Surroundings
import Web

extension ThreadModel {
    /// The thread `event` belongs to.
    ///
    /// `roots` are the paths of the app's backends: calls are told below
    /// them.
    init(_ graph: EventGraph, around event: Event?, roots: [String]) {
        guard let event else {
            self = .none
            return
        }
        steps = graph.thread(of: event).map { step in
            Step(
                id: String(step.event.id), depthClass: "thread-\(min(step.depth, 5))",
                shape: step.event.shape, what: step.event.told(below: roots),
                at: step.event.at.iso8601, time: Words.clockMilliseconds(step.event.at),
                href: step.event.href, isThis: step.event.id == event.id)
        }
        anySteps = !steps.isEmpty
    }
}

extension Event {
    /// Where what it speaks of is seen in full; else the event itself.
    var href: String {
        guard let subject else { return Links.event(id) }
        return switch kind {
        case .exchange: Links.exchange(subject)
        case .mail, .mailUsed: Links.mail(subject)
        case .sessionBegan, .sessionChanged, .sessionEnded: Links.session(subject)
        case .conditionApplied: facts["exchange"].map(Links.exchange) ?? Links.event(id)
        default: Links.event(id)
        }
    }

    /// Its title; of a call the path as its app knows it.
    func told(below roots: [String]) -> String {
        guard kind == .exchange, let method = facts["method"], let path = facts["path"] else {
            return title
        }
        let end = facts["status"] ?? "no answer"
        return "\(method) \(Words.path(path, below: roots)) \(end)"
    }

    /// The mark it has on every page.
    var shape: TimelineModel.Shape { TimelineDraft(self)?.shape ?? .screen }
}
