import Crypto
import SQLite
import Web

/// The backend part of snapshots.
extension EmbeddedBackend {
    /// The most rows of accounts, sessions and mail that a snapshot may store.
    package static let maxSnapshotRows = 200_000

    /// Stores the accounts, sessions, links, codes and mail of `contracts` under `id`. Throws a
    /// `Problem` if there are too many rows.
    package func save(snapshot id: String, contracts: [String], workspace: String) async throws {
        let realms = contracts.map { Realm(workspace: workspace, contract: $0) }
        try await context.database.write { connection in
            var rows = 0
            for realm in realms {
                for table in SnapshotTable.all { rows += try table.count(realm, connection) }
            }
            guard rows <= Self.maxSnapshotRows else { throw Problem.tooManyRows(rows) }
            try connection.run(
                "INSERT INTO snapshots VALUES (?, ?)", [.text(id), .text(workspace)])
            for realm in realms {
                try connection.run(
                    "INSERT INTO snapshot_contracts VALUES (?, ?)",
                    [.text(id), .text(realm.contract)])
                for table in SnapshotTable.all { try table.save(id, realm, connection) }
            }
        }
    }

    /// Restores the contracts of a snapshot in one write, dropping everything newer. False if the
    /// backend has no part of this snapshot.
    package func restore(snapshot id: String) async throws -> Bool {
        let realms = try await context.database.write { connection in
            let realms = try connection.rows(
                """
                SELECT workspace, contract FROM snapshots
                    JOIN snapshot_contracts ON snapshot_contracts.snapshot = snapshots.id
                WHERE snapshots.id = ?
                """, [.text(id)]
            ) { Realm($0, from: 0) }
            guard !realms.isEmpty else { return realms }
            // Delete children first; insert parents first.
            for realm in realms {
                for table in SnapshotTable.all.reversed() { try table.clear(realm, connection) }
            }
            for table in SnapshotTable.all { try table.restore(id, connection) }
            return realms
        }
        guard !realms.isEmpty else { return false }
        try await tokenLifetimes.settings.reload()
        for realm in realms { context.rateLimits.clear(realm) }
        return true
    }

    package func delete(snapshot id: String) async throws {
        try await context.database.write { connection in
            try connection.run("DELETE FROM snapshots WHERE id = ?", [.text(id)])
        }
    }

    /// All snapshots with a backend part, of all workspaces.
    package func snapshotIDs() async throws -> Set<String> {
        Set(
            try await context.database.read { connection in
                try connection.rows("SELECT id FROM snapshots") { $0.text(0) }
            })
    }

    /// How the server would treat a refresh token.
    package enum RefreshTokenStatus: Sendable, Equatable {
        /// Never issued, or no longer stored.
        case unknown
        /// It would be accepted.
        case current
        /// It was exchanged before; the session's newest generation.
        case used(newestGeneration: Int)
        /// Its session ended; the reason.
        case sessionEnded(String)
    }

    package func status(ofRefreshToken token: String, contract: String, workspace: String)
        async throws -> RefreshTokenStatus
    {
        let realm = Realm(workspace: workspace, contract: contract)
        let digest = Digest.sha256(token)
        let record = try await context.database.read { connection in
            try connection.session(ofRefreshToken: digest, in: realm)
        }
        guard let record else { return .unknown }
        if record.session.revokedAt != nil {
            return .sessionEnded(record.session.revocationReason ?? "revoked")
        }
        return record.usedAt == nil ? .current : .used(newestGeneration: record.session.generation)
    }
}

extension Problem {
    fileprivate static func tooManyRows(_ rows: Int) -> Problem {
        Problem(
            status: 413, code: "snapshot-too-large", title: "Snapshot too large",
            detail: "The backend's part would have \(rows) rows (max "
                + "\(EmbeddedBackend.maxSnapshotRows)). Take a snapshot of a single app.")
    }
}
