import Core
import Traffic
import Web

extension Services {
    /// Explains why an exchange does not exist: the timeline may still have its event, and whether
    /// traffic was cleared manually.
    func missingProblem(exchange id: String, in workspace: String) -> Problem {
        let events = hub.events(in: workspace)
        guard let ended = events.last(where: { $0.kind == .exchangeEnded && $0.subject == id })
        else { return .unknownExchange(id) }
        let cleared = events.first { $0.kind == .exchangesCleared && $0.id > ended.id }
        let explanation =
            cleared.map { "Traffic was cleared at \(Format.dateTime($0.at))" }
            ?? "A workspace stores the newest " + Format.count(exchanges.maxCount, "request")
            + ", for a limited time"
        return .deletedExchange(
            "\(ended.title), recorded at \(Format.dateTime(ended.at)), was "
                + "deleted. \(explanation). Its event is still on the timeline.")
    }
}

extension Problem {
    static func unknownExchange(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-exchange", title: "Unknown request",
            detail: """
                No recorded request has the id \(id.prefix(40)). Clearing traffic \
                deletes requests, and so does the limit, oldest first.
                """)
    }

    static func deletedExchange(_ detail: String) -> Problem {
        Problem(
            status: 404, code: "deleted-exchange", title: "This request was deleted",
            detail: detail)
    }
}

extension Services {
    /// Logs on the timeline that an exchange was copied with unmasked tokens.
    func publishReveal(of detail: ExchangeDetail) {
        guard !detail.tokens.isEmpty else { return }
        let exchange = detail.exchange
        let path = Exchange.elidingTokens(exchange.pathAndQuery)
        hub.publish(
            EventDraft(
                workspace: exchange.workspace, kind: .storageRevealed, app: exchange.app,
                device: exchange.device,
                title: "\(exchange.method) \(path) copied with unmasked tokens"))
    }
}
