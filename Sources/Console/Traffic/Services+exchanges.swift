import Core
import FoundationEssentials
import Simulator
import Templates
import Traffic
import Web

extension Services {
    /// A page of exchanges as an HTTP Archive, with masked tokens.
    func harArchive(_ query: ExchangeQuery) async throws -> JSON {
        var details: [ExchangeDetail] = []
        for exchange in try await exchanges.exchanges(query) {
            // It may have been deleted in between.
            guard let detail = try await exchanges.detail(exchange.id, in: query.workspace) else {
                continue
            }
            details.append(detail)
        }
        return HAR.archive(details, version: version)
    }

    /// Deletes the recorded traffic, which is an event of the timeline.
    func clearTraffic(in workspace: String) async throws {
        _ = try await exchanges.clear(workspace: workspace)
        hub.publish(Event(workspace: workspace, kind: .exchangesCleared, title: "Traffic cleared"))
    }

    /// Deletes the exchanges on all pages of a list.
    func deleteExchanges(_ query: ExchangeQuery) async throws {
        publishDeletion(of: try await exchanges.delete(query), in: query.workspace)
    }

    func deleteExchanges(_ ids: [String], in workspace: String) async throws {
        publishDeletion(of: try await exchanges.delete(ids, in: workspace), in: workspace)
    }

    private func publishDeletion(of count: Int, in workspace: String) {
        guard count > 0 else { return }
        hub.publish(
            Event(
                workspace: workspace, kind: .exchangesCleared,
                title: "\(Format.count(count, "request")) deleted",
                details: ["count": String(count)]))
    }

    /// Whether requests are recorded, and the form that changes it (`traffic/recording`).
    func recordingModel(in workspace: String, backURL: String) -> TemplateModel {
        [
            "isPaused": !exchanges.isRecording(in: workspace), "recordingURL": Links.recording,
            "recordingBackURL": backURL,
        ]
    }

    /// Pauses or resumes the recording of a workspace's requests, which is an event of the timeline.
    func setRecording(_ isRecording: Bool, in workspace: String) {
        guard exchanges.setRecording(isRecording, in: workspace) else { return }
        hub.publish(
            Event(
                workspace: workspace, kind: .recordingChanged,
                title: isRecording ? "Recording resumed" : "Recording paused",
                details: ["recording": isRecording ? "yes" : "no"]))
    }

    /// The exchange with this id; throws a 404 problem if it is not stored.
    func exchange(_ id: String, in workspace: String) async throws -> ExchangeDetail {
        guard let detail = try await exchanges.detail(id, in: workspace) else {
            throw missingProblem(exchange: id, in: workspace)
        }
        return detail
    }

    /// Both exchanges; throws 400 for a missing id, 404 for an unknown one.
    func exchangePair(_ a: String?, _ b: String?, in workspace: String) async throws -> (
        ExchangeDetail, ExchangeDetail
    ) {
        func load(_ name: String, _ id: String?) async throws -> ExchangeDetail {
            guard let id else {
                throw Problem.badParameter(name, "is missing: an exchange id is required")
            }
            return try await exchange(id, in: workspace)
        }
        return (try await load("a", a), try await load("b", b))
    }

    func diff(_ old: ExchangeDetail, _ new: ExchangeDetail) async throws -> ExchangeDiff {
        ExchangeDiff(
            old, try await exchanges.unmaskedTokens(of: old), new,
            try await exchanges.unmaskedTokens(of: new))
    }

    /// Explains why an exchange does not exist: the timeline may still have its event, and whether
    /// traffic was cleared manually.
    private func missingProblem(exchange id: String, in workspace: String) -> Problem {
        guard let ended = hub.newestEvent(.exchangeEnded, of: id, in: workspace) else {
            return Problem(
                status: 404, code: "unknown-exchange", title: "Unknown request",
                detail: "No recorded request has the id \(id.prefix(40)). Clearing traffic "
                    + "deletes requests, and so does the limit, oldest first.")
        }
        guard ended.details["stored"] != "no" else {
            return Problem(
                status: 404, code: "unrecorded-exchange", title: "This request was not recorded",
                detail: "\(ended.title) was sent at \(Format.dateTime(ended.at)), while recording "
                    + "was paused. Its event is on the timeline.")
        }
        let cleared = hub.events(in: workspace, after: ended.id, limit: 1) {
            $0.kind == .exchangesCleared
        }
        let explanation =
            cleared.first.map { event in
                (event.details["count"] == nil ? "Traffic was cleared" : event.title)
                    + " at \(Format.dateTime(event.at))"
            }
            ?? "A workspace stores the newest " + Format.count(exchanges.maxCount, "request")
            + ", for a limited time"
        return Problem(
            status: 404, code: "deleted-exchange", title: "This request was deleted",
            detail: "\(ended.title), recorded at \(Format.dateTime(ended.at)). "
                + "\(explanation). Its event is still on the timeline.")
    }

    /// Logs on the timeline that unmasked tokens of an exchange were shown; `title` says which.
    func publishReveal(of exchange: Exchange, _ title: (_ request: String) -> String) {
        let path = Exchange.elidingTokens(exchange.pathAndQuery)
        hub.publish(
            Event(
                workspace: exchange.workspace, kind: .storageRevealed, app: exchange.app,
                device: exchange.device, title: title("\(exchange.method) \(path)")))
    }
}

// MARK: The exchanges of a session

extension Services {
    /// Selects what a session's app sent on its device from the sign-in call to the session's end.
    ///
    /// Exchanges use system time, but a session uses its workspace's clock, so only exchanges can
    /// bound it: its own first and last, or, where it was created or ended manually, those of its
    /// neighbors. A session that was replaced, for instance by restoring an earlier state, may have
    /// no exchange after it: the timeline has the system time of its end.
    func exchangeQuery(of session: Session) async throws -> ExchangeQuery {
        var query = ExchangeQuery(workspace: session.workspace)
        query.app = session.app
        query.device = session.device
        let (signIn, end) = try await boundaryExchanges(session)
        query.from = try await sentAt(signIn, session)
        if session.endedAt != nil { query.until = try await sentAt(end, session) }
        if query.from != nil, session.endedAt == nil { return query }
        let (before, after) = try await adjacentSessions(session)
        if query.from == nil, let before {
            query.from = try await sentAt(boundaryExchanges(before).end, session).map {
                $0 + Self.minCallGap
            }
        }
        // A sign-in that ended this session belongs to the next session.
        if session.endedAt != nil, let after, let next = try await boundaryExchanges(after).signIn,
            query.until == nil || next == end
        {
            query.until = try await sentAt(next, session).map { $0 - Self.minCallGap }
        }
        if session.endedAt != nil, query.until == nil {
            query.until =
                hub.newestEvent(.sessionEnded, of: session.id, in: session.workspace)?.at
        }
        return query
    }

    /// Seconds; less than the interval between two calls of a device.
    private static let minCallGap = 0.000_5

    /// The exchanges that began and ended the session, where exchanges did.
    private func boundaryExchanges(_ session: Session) async throws -> (
        signIn: String?, end: String?
    ) {
        let history = try await simulator.history(ofSession: session.id, in: session.workspace)
        let ends = [Session.State.signedOut, .revoked].map(\.rawValue)
        return (history.first?.exchange, history.last { ends.contains($0.kind) }?.exchange)
    }

    /// When it was sent; nil without an exchange, or if it was deleted.
    private func sentAt(_ exchange: String?, _ session: Session) async throws -> Date? {
        guard let exchange else { return nil }
        return try await exchanges.detail(exchange, in: session.workspace)?.exchange.startedAt
    }

    /// The sessions of the same app on the same device before and after this one.
    private func adjacentSessions(_ session: Session) async throws -> (
        before: Session?, after: Session?
    ) {
        var query = SessionQuery(workspace: session.workspace)
        query.app = session.app
        query.device = session.device
        query.keyset.limit = 500
        let all = try await simulator.sessions(query).page.items
        guard let index = all.firstIndex(where: { $0.id == session.id }) else { return (nil, nil) }
        return (index + 1 < all.count ? all[index + 1] : nil, index > 0 ? all[index - 1] : nil)
    }
}
