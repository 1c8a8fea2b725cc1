import Backend
import Simulator
import Traffic
import Web

/// What an address names, for a page and its API alike; a 404 for what is not
/// in the visitor's workspace.
extension Services {
    func exchange(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> ExchangeDetail {
        try await named(
            "exchange", of: visit, visitors, or: missing(exchange:in:)
        ) {
            try await exchanges.detail($0, in: $1)
        }
    }

    func account(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> EmbeddedBackend.KnownAccount {
        try await named(
            "account", of: visit, visitors, or: { id, _ in .unknownAccount(id) }
        ) {
            try await backend.account($0, workspace: $1)
        }
    }

    func session(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> Session {
        try await named(
            "session", of: visit, visitors, or: { id, _ in .unknownSession(id) }
        ) {
            await simulator.checks.settle(in: $1)
            return try await simulator.session($0, in: $1)
        }
    }

    func snapshot(
        of visit: Visit, _ visitors: Visitors
    ) async throws -> Snapshot {
        try await named(
            "snapshot", of: visit, visitors, or: { id, _ in .unknownSnapshot(id) }
        ) {
            try await simulator.snapshot($0, in: $1)
        }
    }

    private func named<Thing>(
        _ name: String, of visit: Visit, _ visitors: Visitors,
        or unknown: (_ id: String, _ workspace: String) -> Problem,
        find: (_ id: String, _ workspace: String) async throws -> Thing?
    ) async throws -> Thing {
        let id = visit.parameters[name] ?? ""
        let workspace = try visitors.workspace(of: visit)
        guard let thing = try await find(id, workspace) else {
            throw unknown(id, workspace)
        }
        return thing
    }
}
