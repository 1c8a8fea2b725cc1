import Simulator
import Traffic

extension Services {
    /// What a session's app sent on its device from the call that signed in
    /// to the session's end.
    func exchanges(of session: Session) async throws -> ExchangeQuery {
        var query = ExchangeQuery(workspace: session.workspace)
        query.app = session.app
        query.device = session.device
        query.from = session.createdAt
        query.until = session.endedAt
        let history = try await simulator.history(
            ofSession: session.id, in: session.workspace)
        // It was sent before there was a session.
        if let signIn = history.first?.exchange,
            let detail = try await exchanges.detail(
                signIn, in: session.workspace)
        {
            query.from = min(session.createdAt, detail.exchange.startedAt)
        }
        return query
    }
}
