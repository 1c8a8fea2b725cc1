import Core
import Traffic
import Web

extension Services {
    /// Explains why an exchange does not exist: the timeline may still have its event, and whether
    /// traffic was cleared manually.
    func missingProblem(exchange id: String, in workspace: String) -> Problem {
        let events = hub.events(in: workspace)
        guard let ended = events.last(where: { $0.kind == .exchangeEnded && $0.subject == id })
        else {
            return .unknownExchange(id)
        }
        let cleared = events.first { $0.kind == .exchangesCleared && $0.id > ended.id }
        let explanation =
            cleared.map {
                "The recorded traffic was forgotten by hand at \(Format.dateTime($0.at))"
            } ?? "The oldest are forgotten: a workspace keeps "
            + Format.count(exchanges.maxCount, "exchange") + ", and none for ever"
        return .deletedExchange(
            "\(ended.title), recorded at \(Format.dateTime(ended.at)), is "
                + "not kept any more. \(explanation). The timeline still tells that it happened.")
    }
}

extension Problem {
    static func unknownExchange(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-exchange", title: "There is no such exchange",
            detail: """
                None of the recorded exchanges has the id \(id.prefix(40)). \
                They are forgotten by hand, and the oldest when there are too \
                many.
                """)
    }

    static func deletedExchange(_ detail: String) -> Problem {
        Problem(
            status: 404, code: "forgotten-exchange", title: "This exchange was forgotten",
            detail: detail)
    }
}
