package import FoundationEssentials
import SQLite
package import Web

extension EmbeddedBackend {
    /// An account as an administrator sees it.
    package struct AccountDetails: Sendable, Equatable {
        package var id: String
        /// Its position among the workspace's accounts, for paging.
        package var sequence: Int64
        package var contract: String
        package var workspace: String
        package var email: String?
        /// Nil except for device accounts.
        package var deviceID: String?
        package var displayName: String?
        package var state: State
        package var emailVerifiedAt: Date?
        package var disabledAt: Date?
        /// When its lock ends or ended.
        package var lockedUntil: Date?
        package var hasPassword: Bool
        package var createdAt: Date
        package var lastLoginAt: Date?
        /// Sessions that are not revoked.
        package var activeSessionCount: Int
        /// In seconds; nil for the contract's default.
        package var accessTokenTTL: Int?

        /// If several apply, the first.
        package enum State: String, Sendable, CaseIterable {
            case disabled, locked, unverified, verified
        }

        /// The address, or the device for a device account.
        package var label: String { email ?? deviceID.map { "device \($0.prefix(8))" } ?? id }
    }
}

extension Account {
    func state(at now: Timestamp) -> EmbeddedBackend.AccountDetails.State {
        if disabledAt != nil { return .disabled }
        if isLocked(at: now) { return .locked }
        return isVerified ? .verified : .unverified
    }

    package func isLocked(at now: Timestamp) -> Bool { lockedUntil.map { now < $0 } ?? false }
}

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

/// Account queries for administrators.
extension EmbeddedBackend {
    /// A page of a workspace's accounts.
    package func accounts(_ query: AccountQuery) async throws -> AccountQuery.Page {
        let now = now(in: query.workspace)
        let (sql, values) = query.sqlCondition
        let (stateCounts, rows) = try await context.database.read { connection in
            let stateCounts = try connection.rows(
                """
                SELECT \(AccountDetails.State.sql) AS state, count(*)
                FROM accounts WHERE \(sql) GROUP BY state
                """, [now.sqlValue] + values
            ) { ($0.text(0), Int($0.integer(1))) }
            return (stateCounts, try Self.accountRows(query, at: now, connection))
        }
        var totals: [AccountDetails.State: Int] = [:]
        for (name, count) in stateCounts {
            if let state = AccountDetails.State(rawValue: name) { totals[state] = count }
        }
        let hasMore = rows.count > query.limit
        let isBackwards = query.after != nil
        let page = rows.prefix(query.limit)
        return AccountQuery.Page(
            items: (isBackwards ? page.reversed() : Array(page)).map {
                accountDetails($0.account, $0.sequence, $0.sessions, at: now)
            }, total: query.state.map { totals[$0] ?? 0 } ?? totals.values.reduce(0, +),
            totals: totals, hasNewer: isBackwards ? hasMore : query.before != nil,
            hasOlder: isBackwards ? true : hasMore)
    }

    private typealias AccountRow = (account: Account, sequence: Int64, sessions: Int)

    /// Reads one row more than the page, to detect further pages.
    private static func accountRows(
        _ query: AccountQuery, at now: Timestamp, _ connection: Connection
    ) throws -> [AccountRow] {
        var (sql, values) = query.sqlCondition
        if let state = query.state {
            sql = "\(sql) AND \(AccountDetails.State.sql) = ?"
            values += [now.sqlValue, .text(state.rawValue)]
        }
        var order: StaticSQL = "DESC"
        if let after = query.after {
            sql = "\(sql) AND accounts.sequence > ?"
            values.append(.integer(after))
            order = "ASC"
        } else if let before = query.before {
            sql = "\(sql) AND accounts.sequence < ?"
            values.append(.integer(before))
        }
        return try connection.rows(
            """
            SELECT accounts.*, \(activeSessionCountSQL)
            FROM accounts WHERE \(sql)
            ORDER BY accounts.sequence \(order) LIMIT ?
            """, values + [.integer(query.limit + 1)], Self.accountRow)
    }

    private static let activeSessionCountSQL: StaticSQL = """
        (SELECT count(*) FROM sessions WHERE sessions.account = accounts.id
            AND sessions.revoked_at IS NULL)
        """

    private static func accountRow(_ row: Row) -> AccountRow {
        let count = Account.columnCount
        return (Account(row), row.integer(count - 1), Int(row.integer(count)))
    }

    /// One account; nil if the workspace has none of that id.
    package func account(_ id: String, workspace: String) async throws -> AccountDetails? {
        let now = now(in: workspace)
        return try await context.database.read { connection in
            try Self.findAccountRow(id, workspace, connection)
        }.map { accountDetails($0.account, $0.sequence, $0.sessions, at: now) }
    }

    private static func findAccountRow(_ id: String, _ workspace: String, _ connection: Connection)
        throws -> AccountRow?
    {
        try connection.row(
            """
            SELECT accounts.*, \(activeSessionCountSQL)
            FROM accounts WHERE id = ? AND workspace = ?
            """, [.text(id), .text(workspace)], accountRow)
    }

    /// The number of accounts in a workspace.
    package func accountCount(workspace: String) async throws -> Int {
        let count = try await context.database.read { connection in
            try connection.integer(
                "SELECT count(*) FROM accounts WHERE workspace = ?", [.text(workspace)])
        }
        return Int(count ?? 0)
    }

    /// The account's sessions at the server, newest first, at most 50.
    package func sessions(ofAccount id: String) async throws -> (
        sessions: [SessionInfo], total: Int
    ) {
        let found = try await context.database.read { connection in
            try connection.sessions(of: id, limit: 50)
        }
        return (found.sessions.map(SessionInfo.init), found.total)
    }

    /// What an action on an account of `contract` does, or why it is not supported; `isDevice` for
    /// a device account.
    package func availability(_ action: AdminAction, contract: String, isDevice: Bool = false)
        -> AdminAction.Availability
    {
        guard let administration = administration(of: contract) else {
            return .unavailable("Unknown contract \(contract).")
        }
        if isDevice, [.verify, .unverify, .setPassword].contains(action) {
            return .unavailable("A device account has no email and no password.")
        }
        return administration.availability(of: action)
    }

    /// The current time of a workspace.
    private func now(in workspace: String) -> Timestamp {
        context.now(in: Realm(workspace: workspace, contract: ""))
    }

    func administration(of contract: String) -> (any ContractAdministration.Type)? {
        self.contract(contract).map { type(of: $0) }
    }

    /// Whether a contract stores the names of its users.
    package func storesNames(contract: String) -> Bool {
        administration(of: contract)?.storesNames ?? false
    }

    /// The name as the contract stores it; nil if it stores none.
    package func storedName(_ name: String, contract: String) -> String? {
        storesNames(contract: contract) ? name : nil
    }

    private func accountDetails(
        _ account: Account, _ sequence: Int64, _ sessions: Int, at now: Timestamp
    ) -> AccountDetails {
        AccountDetails(
            id: account.id, sequence: sequence, contract: account.realm.contract,
            workspace: account.realm.workspace, email: account.email, deviceID: account.deviceID,
            displayName: administration(of: account.realm.contract)?.displayName(of: account),
            state: account.state(at: now), emailVerifiedAt: account.emailVerifiedAt?.date,
            disabledAt: account.disabledAt?.date, lockedUntil: account.lockedUntil?.date,
            hasPassword: account.passwordHash != nil, createdAt: account.createdAt.date,
            lastLoginAt: account.lastLoginAt?.date, activeSessionCount: sessions,
            accessTokenTTL: tokenLifetimes.overrideSeconds(of: account.id, in: account.realm))
    }
}

extension Problem {
    package static func unknownAccount(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-account", title: "Unknown account",
            detail: "This workspace has no account \(id.prefix(40)).",
            apiHint: "GET /api/accounts lists them.")
    }
}
