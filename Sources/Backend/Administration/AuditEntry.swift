import SQLite
import Web

/// One line of a contract's audit log.
package struct AuditEntry: Sendable, Equatable {
    /// A UUID, lowercase.
    package let id: String
    /// The account it is about.
    package let accountID: String?
    /// A JSON object as text, in the contract's format.
    package let payload: String
    /// The client's; empty where the contract does not record it.
    package let ipAddress: String
    package let createdAt: Timestamp

    package init(
        id: String, accountID: String?, payload: String, ipAddress: String, createdAt: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.payload = payload
        self.ipAddress = ipAddress
        self.createdAt = createdAt
    }
}

/// Queries of the audit log for use inside a read or a write.
extension Connection {
    /// Appends an entry. A workspace retains its newest 5,000.
    package func add(_ entry: AuditEntry, in realm: Realm) throws {
        try run(
            "INSERT INTO audit_entries VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
            [.text(entry.id)] + realm.sqlValues + [
                .text(entry.accountID), .text(entry.payload), entry.createdAt.sqlValue,
                .text(entry.ipAddress),
            ])
        try prune("audit_entries", where: ["TRUE"], realm)
    }

    /// A page of the entries, newest first, and how many there are. `text` is part of the value at
    /// one of the JSON `paths` in the payload, in any case.
    package func auditEntries(
        containing text: String? = nil, at paths: [String] = ["$"], offset: Int, limit: Int,
        in realm: Realm
    ) throws -> (entries: [AuditEntry], total: Int) {
        let condition: StaticSQL = """
            workspace = ?1 AND contract = ?2 AND (?3 IS NULL OR EXISTS (
                SELECT 1 FROM json_each(?4) AS paths
                WHERE instr(lower(json_extract(payload, paths.value)), lower(?3))))
            """
        let list = JSON.array(paths.map(JSON.string)).description
        let values = realm.sqlValues + [.text(text), .text(list)]
        let entries = try rows(
            """
            SELECT id, account, payload, ip, created_at FROM audit_entries WHERE \(condition)
            ORDER BY sequence DESC LIMIT ?5 OFFSET ?6
            """, values + [.integer(limit), .integer(offset)]
        ) { row in
            AuditEntry(
                id: row.text(0), accountID: row.optionalText(1), payload: row.text(2),
                ipAddress: row.text(3), createdAt: row.timestamp(4))
        }
        return (
            entries, try count("SELECT count(*) FROM audit_entries WHERE \(condition)", values)
        )
    }
}
