import Core
import FoundationEssentials
import Support
import Testing

@testable import Console

@Suite(.timeLimit(.minutes(10))) struct EventGraphTests {
    private func event(
        _ id: Int64, _ kind: Event.Kind, cause: Int64? = nil, subject: String? = nil,
        facts: [String: String] = [:]
    ) -> Event {
        Event(
            id: id, at: FrozenWorld.noon, workspace: "main", kind: kind, app: "a", device: "d",
            cause: cause, subject: subject, title: "\(kind.rawValue) \(id)", details: facts)
    }

    /// A registration: what was submitted, the mail its call sent, the call,
    /// what it wrote and showed; then the mail's link; then something else.
    private var events: [Event] {
        [
            event(1, .actionSubmitted),
            event(2, .mailReceived, subject: "mail_1", facts: ["request": "req_9"]),
            event(
                3, .exchangeEnded, cause: 1, subject: "exc_1",
                facts: ["request": "req_9"]),
            event(4, .storageWritten, cause: 3, subject: "token"),
            event(5, .screenShown, cause: 3, subject: "verify"),
            event(6, .mailUsed, subject: "mail_1"),
            event(7, .actionSubmitted),
        ]
    }

    @Test func `a thread tells causes before their effects`() {
        let graph = EventGraph(events)
        let steps = graph.chain(of: events[3])
        #expect(steps.map(\.event.id) == [1, 3, 2, 6, 4, 5])
        #expect(steps.map(\.depth) == [0, 1, 2, 3, 2, 2])
    }

    @Test func `it is the same from wherever it is looked at`() {
        let graph = EventGraph(events)
        let one = graph.chain(of: events[0]).map(\.event.id)
        for event in events.dropLast() { #expect(graph.chain(of: event).map(\.event.id) == one) }
    }

    @Test func `a mail belongs to the exchange it was sent for`() {
        let graph = EventGraph(events)
        #expect(graph.cause(of: events[1])?.id == 3)
        #expect(graph.cause(of: events[5])?.id == 2)
    }

    @Test func `a cause that is forgotten begins the thread anew`() {
        let kept = Array(events.dropFirst(2))
        let steps = EventGraph(kept).chain(of: kept[1])
        #expect(steps.map(\.event.id) == [3, 4, 5])
    }

    @Test func `what names itself ends`() {
        let loop = [event(1, .screenShown, cause: 2), event(2, .screenShown, cause: 1)]
        #expect(EventGraph(loop).chain(of: loop[0]).count == 2)
    }

    @Test func `a mail's thread leads on to the call it was used with`() {
        let used = [
            event(1, .actionSubmitted),
            event(2, .mailReceived, subject: "mail_1", facts: ["request": "r1"]),
            event(3, .exchangeEnded, cause: 1, facts: ["request": "r1"]),
            event(4, .actionSubmitted),
            event(5, .mailUsed, subject: "mail_1", facts: ["request": "r2"]),
            event(6, .exchangeEnded, cause: 4, facts: ["request": "r2"]),
            event(7, .screenShown, cause: 6, subject: "wall"),
        ]
        let graph = EventGraph(used)
        #expect(graph.cause(of: used[4])?.id == 6)
        #expect(graph.chain(of: used[1]).map(\.event.id) == [1, 3, 2, 5, 6, 7])
        #expect(graph.chain(of: used[5]).map(\.event.id) == [4, 6, 5, 7])
    }
}
