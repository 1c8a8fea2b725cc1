package import Core
package import FoundationEssentials
import SQLite
package import Web

extension EmbeddedBackend {
    /// An account as an administrator sees it.
    package struct AccountDetails: Sendable, Equatable {
        package var id: String
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
    package var keyset = Keyset()

    package init(workspace: String) { self.workspace = workspace }

    /// The filters except the state.
    var conditions: Conditions {
        var conditions: Conditions = [
            "accounts.workspace = ?": .text(workspace), "accounts.contract = ?": .text(contract),
        ]
        if let text, !text.isEmpty {
            let pattern = Self.escaped(text)
            conditions.add(
                """
                (accounts.email LIKE ? ESCAPE '\\'
                    OR accounts.id LIKE ? ESCAPE '\\'
                    OR accounts.device_id LIKE ? ESCAPE '\\')
                """, .text("%\(pattern)%"), .text("\(pattern)%"), .text("\(pattern)%"))
        }
        return conditions
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

/// A page of accounts, with totals.
package struct AccountPage: Sendable {
    package let page: KeysetPage<EmbeddedBackend.AccountDetails>
    /// Matches of the query without its state filter, by state.
    package let totals: [EmbeddedBackend.AccountDetails.State: Int]
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
    package func accounts(_ query: AccountQuery) async throws -> AccountPage {
        let now = now(in: query.workspace)
        return try await context.database.read(isLong: true) { connection in
            var conditions = query.conditions
            let counts = try connection.rows(
                """
                SELECT \(AccountDetails.State.sql) AS state, count(*)
                FROM accounts WHERE \(conditions.sql) GROUP BY state
                """, [now.sqlValue] + conditions.values
            ) { (AccountDetails.State(rawValue: $0.text(0)), Int($0.integer(1))) }
            var totals: [AccountDetails.State: Int] = [:]
            for (state, count) in counts { if let state { totals[state] = count } }
            if let state = query.state {
                conditions.add(
                    "\(AccountDetails.State.sql) = ?", now.sqlValue, .text(state.rawValue))
            }
            let total = query.state.map { totals[$0] ?? 0 } ?? totals.values.reduce(0, +)
            let page = try connection.page(
                query.keyset, by: "accounts.sequence", Self.accountColumns, from: "accounts",
                where: conditions, total: (total, true)
            ) { self.accountDetails($0, at: now) }
            return AccountPage(page: page, totals: totals)
        }
    }

    /// All columns, and the number of sessions that are not revoked.
    private static let accountColumns: StaticSQL = """
        accounts.*, (SELECT count(*) FROM sessions WHERE sessions.account = accounts.id
            AND sessions.revoked_at IS NULL)
        """

    /// One account; nil if the workspace has none of that id.
    package func account(_ id: String, workspace: String) async throws -> AccountDetails? {
        let now = now(in: workspace)
        return try await context.database.read { connection in
            try connection.row(
                "SELECT \(Self.accountColumns) FROM accounts WHERE id = ? AND workspace = ?",
                [.text(id), .text(workspace)]
            ) { self.accountDetails($0, at: now) }
        }
    }

    /// The number of accounts in a workspace.
    package func accountCount(workspace: String) async throws -> Int {
        try await context.database.read { connection in
            try connection.count(
                "SELECT count(*) FROM accounts WHERE workspace = ?", [.text(workspace)])
        }
    }

    /// The account's sessions at the server, newest first, at most 50.
    package func sessions(ofAccount id: String) async throws -> (
        sessions: [BackendSession], total: Int
    ) { try await context.database.read { try $0.sessions(of: id, limit: 50) } }

    /// What an action on an account of `contract` does, or why it is not supported; `isDevice` for
    /// a device account.
    package func availability(_ action: AdminAction, contract: String, isDevice: Bool = false)
        -> AdminAction.Availability
    {
        guard let administration = administration(of: contract) else {
            return .init(isAvailable: false, explanation: "Unknown contract \(contract).")
        }
        if isDevice, [.verify, .unverify, .setPassword].contains(action) {
            return .init(
                isAvailable: false, explanation: "A device account has no email and no password.")
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

    private func accountDetails(_ row: Row, at now: Timestamp) -> AccountDetails {
        let account = Account(row)
        return AccountDetails(
            id: account.id, contract: account.realm.contract,
            workspace: account.realm.workspace, email: account.email, deviceID: account.deviceID,
            displayName: administration(of: account.realm.contract)?.displayName(of: account),
            state: account.state(at: now), emailVerifiedAt: account.emailVerifiedAt?.date,
            disabledAt: account.disabledAt?.date, lockedUntil: account.lockedUntil?.date,
            hasPassword: account.passwordHash != nil, createdAt: account.createdAt.date,
            lastLoginAt: account.lastLoginAt?.date,
            activeSessionCount: Int(row.integer(Account.columnCount)),
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
