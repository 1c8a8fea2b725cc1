import Backend
import Simulator
import Traffic
import Web

/// What an address names, for a page and its API alike; a 404 for what is not
/// in the visitor's workspace.
extension Services {
    func exchange(of visit: Visit, _ visitors: Visitors) async throws -> ExchangeDetail {
        try await named("exchange", of: visit, visitors) {
            try await exchanges.detail($0, in: $1)
        } or: {
            missing(exchange: $0, in: $1)
        }
    }

    func account(of visit: Visit, _ visitors: Visitors) async throws -> EmbeddedBackend.KnownAccount
    {
        try await named("account", of: visit, visitors) {
            try await backend.account($0, workspace: $1)
        } or: { id, _ in
            .unknownAccount(id)
        }
    }

    func session(of visit: Visit, _ visitors: Visitors) async throws -> Session {
        try await named("session", of: visit, visitors) {
            await simulator.checks.settle(in: $1)
            return try await simulator.session($0, in: $1)
        } or: { id, _ in
            .unknownSession(id)
        }
    }

    func snapshot(of visit: Visit, _ visitors: Visitors) async throws -> Snapshot {
        try await named("snapshot", of: visit, visitors) {
            try await simulator.snapshot($0, in: $1)
        } or: { id, _ in
            .unknownSnapshot(id)
        }
    }

    private func named<Thing>(
        _ name: String, of visit: Visit, _ visitors: Visitors,
        find: (_ id: String, _ workspace: String) async throws -> Thing?,
        or unknown: (_ id: String, _ workspace: String) -> Problem
    ) async throws -> Thing {
        let id = visit.parameters[name] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard let thing = try await find(id, workspace) else { throw unknown(id, workspace) }
        return thing
    }
}
