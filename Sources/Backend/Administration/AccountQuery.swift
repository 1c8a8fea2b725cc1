import SQLite

/// Selects and pages the accounts of a workspace.
package struct AccountQuery: Sendable {
    package var workspace: String
    /// Restricts the list to one contract.
    package var contract: String?
    package var state: EmbeddedBackend.AccountDetails.State?
    /// Part of an address, or the beginning of an id.
    package var text: String?
    /// Only accounts before this sequence.
    package var before: Int64?
    /// Only accounts after this sequence; the page is the one next to it.
    package var after: Int64?
    package var limit = 50

    package init(workspace: String) { self.workspace = workspace }

    /// A page of accounts, newest first.
    package struct Page: Sendable {
        package var items: [EmbeddedBackend.AccountDetails]
        /// The number of matches on all pages.
        package var total: Int
        /// Matches per state, ignoring the state filter.
        package var totals: [EmbeddedBackend.AccountDetails.State: Int]
        package var hasNewer: Bool
        package var hasOlder: Bool
    }

    /// The filters except the state.
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
            let pattern = Self.escaped(text)
            values += [.text("%\(pattern)%"), .text("\(pattern)%"), .text("\(pattern)%")]
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
    /// An account's state at the time bound to its one parameter.
    static let sql: StaticSQL = """
        CASE WHEN accounts.disabled_at IS NOT NULL THEN 'disabled'
            WHEN coalesce(accounts.locked_until, 0) > ? THEN 'locked'
            WHEN accounts.email IS NOT NULL
                AND accounts.email_verified_at IS NULL THEN 'unverified'
            ELSE 'verified' END
        """
}
