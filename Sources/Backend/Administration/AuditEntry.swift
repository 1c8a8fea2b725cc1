import SQLite

/// One line of a contract's audit log.
package struct AuditEntry: Sendable, Equatable {
    /// A UUID, lowercase.
    package let id: String
    /// The account it is about.
    package let accountID: String?
    /// A JSON object as text, in the contract's format.
    package let payload: String
    package let createdAt: Timestamp

    package init(id: String, accountID: String?, payload: String, createdAt: Timestamp) {
        self.id = id
        self.accountID = accountID
        self.payload = payload
        self.createdAt = createdAt
    }
}

/// Queries of the audit log for use inside a read or a write.
extension Connection {
    /// Appends an entry. A workspace retains its newest 5,000.
    package func add(_ entry: AuditEntry, in realm: Realm) throws {
        try run(
            "INSERT INTO audit_entries VALUES (NULL, ?, ?, ?, ?, ?, ?)",
            [.text(entry.id)] + realm.sqlValues + [
                .text(entry.accountID), .text(entry.payload), entry.createdAt.sqlValue,
            ])
        try prune("audit_entries", where: ["TRUE"], realm)
    }

    /// Newest first. `text` is part of a payload.
    package func auditEntries(
        containing text: String? = nil, offset: Int, limit: Int, in realm: Realm
    ) throws -> [AuditEntry] {
        try rows(
            """
            SELECT id, account, payload, created_at FROM audit_entries
            WHERE workspace = ?1 AND contract = ?2 AND (?3 IS NULL OR instr(payload, ?3))
            ORDER BY sequence DESC LIMIT ?4 OFFSET ?5
            """, realm.sqlValues + [.text(text), .integer(limit), .integer(offset)]
        ) { row in
            AuditEntry(
                id: row.text(0), accountID: row.optionalText(1), payload: row.text(2),
                createdAt: row.timestamp(3))
        }
    }
}
