import SQLite

/// Which accounts of a workspace a list shows.
package struct AccountQuery: Sendable {
    package var workspace: String
    /// Of one contract alone.
    package var contract: String?
    package var state: EmbeddedBackend.AccountDetails.State?
    /// Part of an address, or the beginning of an id.
    package var text: String?
    /// Older than this place in the order.
    package var before: Int64?
    /// Newer than this place; the oldest of them.
    package var after: Int64?
    package var limit = 50

    package init(workspace: String) { self.workspace = workspace }

    /// A page of them, newest first.
    package struct Page: Sendable {
        package var items: [EmbeddedBackend.AccountDetails]
        /// All that fit, whatever the page.
        package var total: Int
        /// How many there are in each state under the other filters.
        package var totals: [EmbeddedBackend.AccountDetails.State: Int]
        package var hasNewer: Bool
        package var hasOlder: Bool
    }

    /// What holds but for the state.
    var sqlCondition: (sql: StaticSQL, values: [Value]) {
        var sql: StaticSQL = "accounts.workspace = ?"
        var values: [Value] = [.text(workspace)]
        if let contract {
            sql = "\(sql) AND accounts.contract = ?"
            values.append(.text(contract))
        }
        if let text, !text.isEmpty {
            sql = """
                \(sql) AND (accounts.email LIKE ? ESCAPE '\\'
                    OR accounts.id LIKE ? ESCAPE '\\'
                    OR accounts.device_id LIKE ? ESCAPE '\\')
                """
            let plain = Self.escaped(text)
            values += [.text("%\(plain)%"), .text("\(plain)%"), .text("\(plain)%")]
        }
        return (sql, values)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

extension EmbeddedBackend.AccountDetails.State {
    /// The state of a row at the moment its one value is.
    static let sql: StaticSQL = """
        CASE WHEN accounts.disabled_at IS NOT NULL THEN 'disabled'
            WHEN coalesce(accounts.locked_until, 0) > ? THEN 'locked'
            WHEN accounts.email IS NOT NULL
                AND accounts.email_verified_at IS NULL THEN 'unverified'
            ELSE 'verified' END
        """
}
