import Backend
import Traffic
import Web

/// What an address names, for a page and its API alike; a 404 for what is not
/// in the visitor's workspace.
extension Services {
    func exchange(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> ExchangeDetail {
        let id = visit.parameters["exchange"] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard let detail = try await exchanges.detail(id, in: workspace) else {
            throw Problem.unknownExchange(id)
        }
        return detail
    }

    func account(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> EmbeddedBackend.KnownAccount {
        let id = visit.parameters["account"] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard
            let account = try await backend.account(id, workspace: workspace)
        else { throw Problem.unknownAccount(id) }
        return account
    }
}
