import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

extension Services {
    /// A page of a list as an HTTP Archive, tokens masked.
    func harArchive(_ query: ExchangeQuery) async throws -> JSON {
        var details: [ExchangeDetail] = []
        for exchange in try await exchanges.list(query).items {
            // One may have been forgotten in between.
            guard let detail = try await exchanges.detail(exchange.id, in: query.workspace) else {
                continue
            }
            details.append(detail)
        }
        return HAR.archive(details, version: version)
    }

    /// What a session's app sent on its device from the call that signed in
    /// to the session's end.
    ///
    /// Exchanges have real times and a session those of its workspace's
    /// clock, so that only exchanges bound it: its own first and last, or
    /// where something was done by hand, those of its neighbours. One that was
    /// put aside, as when an earlier state came back, may have none after it:
    /// the timeline has the real time of its end.
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
        // What signed somebody else in is not its own, though it ended it.
        if session.endedAt != nil, let after, let next = try await boundaryExchanges(after).signIn,
            query.until == nil || next == end
        {
            query.until = try await sentAt(next, session).map { $0 - Self.minCallGap }
        }
        if session.endedAt != nil, query.until == nil {
            query.until =
                hub.events(in: session.workspace).last {
                    $0.kind == .sessionEnded && $0.subject == session.id
                }?.at
        }
        return query
    }

    /// Less than lies between two calls of a phone.
    private static let minCallGap = 0.000_5

    /// The exchanges that began and ended it, where one did.
    private func boundaryExchanges(_ session: Session) async throws -> (
        signIn: String?, end: String?
    ) {
        let history = try await simulator.history(ofSession: session.id, in: session.workspace)
        let ends = [Session.State.signedOut, .revoked].map(\.rawValue)
        return (history.first?.exchange, history.last { ends.contains($0.kind) }?.exchange)
    }

    /// When it was sent; nil for none, or one that is forgotten.
    private func sentAt(_ exchange: String?, _ session: Session) async throws -> Date? {
        guard let exchange else { return nil }
        return try await exchanges.detail(exchange, in: session.workspace)?.exchange.startedAt
    }

    /// Those of the same app on the same device before and after it.
    private func adjacentSessions(_ session: Session) async throws -> (
        before: Session?, after: Session?
    ) {
        var query = SessionQuery(workspace: session.workspace)
        query.app = session.app
        query.device = session.device
        query.limit = 500
        let all = try await simulator.sessions(query).items.map(\.session)
        guard let index = all.firstIndex(where: { $0.id == session.id }) else { return (nil, nil) }
        return (index + 1 < all.count ? all[index + 1] : nil, index > 0 ? all[index - 1] : nil)
    }
}
