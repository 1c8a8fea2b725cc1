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
        /// E.164 with its `+`.
        package var phone: String?
        package var phoneVerifiedAt: Date?
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
        package var identities: [Identity] = []
        package var factors: [Factor] = []
        /// The codes that authenticator apps show now, by factor.
        package var authenticatorCodes: [String: String] = [:]
        package var metadata: [AccountMetadata] = []

        /// If several apply, the first.
        package enum State: String, Sendable, CaseIterable {
            case disabled, locked, unverified, verified
        }

        /// The address, or the number or the device of an account without one.
        package var label: String {
            email ?? phone ?? deviceID.map { "device \($0.prefix(8))" }
                ?? "anonymous \(id.prefix(8))"
        }
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
    /// Part of an address or number, or the beginning of an id.
    package var text: String?
    package var keyset = Keyset()
    /// The most matches of a search that are counted, if the workspace has more accounts than
    /// `exactCountLimit`.
    var countLimit = 1_000
    var exactCountLimit = 10_000

    package init(workspace: String) { self.workspace = workspace }

    /// The filters except the state.
    var conditions: Conditions {
        var conditions: Conditions = ["accounts.workspace = ?": .text(workspace)]
        // The index of locked accounts has few of any contract.
        conditions.add("\(state == .locked ? "+" : "")accounts.contract = ?", .text(contract))
        return conditions
    }

    /// The condition of the text, if there is one.
    var textCondition: Conditions? {
        guard let text = text?.nonEmpty else { return nil }
        let pattern = Self.escaped(text)
        var condition: Conditions = [:]
        condition.add(
            """
            (accounts.email LIKE ? ESCAPE '\\' OR accounts.id LIKE ? ESCAPE '\\' \
            OR accounts.device_id LIKE ? ESCAPE '\\' OR accounts.id IN (
                SELECT id FROM accounts WHERE phone IS NOT NULL AND phone LIKE ? ESCAPE '\\'))
            """, .text("%\(pattern)%"), .text("\(pattern)%"), .text("\(pattern)%"),
            .text("%\(pattern)%"))
        return condition
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
    /// Matches of the query without its state filter, by state; of a search in very many accounts
    /// at most 1,000.
    package let totals: AccountTotals
}

/// Numbers of accounts by state.
package typealias AccountTotals = [EmbeddedBackend.AccountDetails.State: Int]

extension EmbeddedBackend.AccountDetails.State {
    /// An account's state without its lock, as the indexes have it.
    private static let withoutLock: StaticSQL = """
        CASE WHEN accounts.disabled_at IS NOT NULL THEN 'disabled' \
        WHEN accounts.email IS NOT NULL AND accounts.email_verified_at IS NULL \
        THEN 'unverified' ELSE 'verified' END
        """

    /// Selects accounts that are not disabled and were locked.
    private static let wasLocked: StaticSQL =
        "accounts.locked_until IS NOT NULL AND accounts.disabled_at IS NULL"

    /// Restricts `conditions` to accounts in this state at a time.
    func restrict(_ conditions: inout Conditions, at now: Timestamp) {
        switch self {
        case .locked:
            conditions.add("\(Self.wasLocked) AND accounts.locked_until > ?", now.sqlValue)
        case .disabled: conditions.add("\(Self.withoutLock) = ?", .text(rawValue))
        case .unverified, .verified:
            conditions.add(
                "\(Self.withoutLock) = ? AND coalesce(accounts.locked_until, 0) <= ?",
                .text(rawValue), now.sqlValue)
        }
    }

    /// Counts the accounts of a workspace, of one contract or of all, from the stored totals and
    /// the locked accounts.
    static func totals(
        _ workspace: String, _ contract: String?, at now: Timestamp, _ connection: Connection
    ) throws -> AccountTotals {
        var realm: Conditions = [
            "workspace = ?": .text(workspace), "contract = ?": .text(contract),
        ]
        var totals = try count(
            "SELECT state, sum(number) FROM account_totals WHERE \(realm.sql) GROUP BY state",
            realm.values, connection)
        realm = ["workspace = ?": .text(workspace), "+contract = ?": .text(contract)]
        locked.restrict(&realm, at: now)
        let lockedTotals = try count(
            """
            SELECT state, count(*) FROM (SELECT \(withoutLock) AS state FROM accounts \
            INDEXED BY accounts_locked WHERE \(realm.sql)) GROUP BY state
            """, realm.values, connection)
        for (state, count) in lockedTotals {
            totals[state, default: 0] -= count
            totals[locked, default: 0] += count
        }
        return totals
    }

    /// Counts the newest accounts that match, up to a limit.
    static func totals(
        where conditions: Conditions, at now: Timestamp, limit: Int, _ connection: Connection
    ) throws -> AccountTotals {
        try count(
            """
            SELECT state, count(*) FROM (SELECT CASE WHEN \(wasLocked) AND accounts.locked_until \
            > ? THEN 'locked' ELSE \(withoutLock) END AS state FROM accounts WHERE \
            \(conditions.sql) ORDER BY accounts.sequence DESC LIMIT ?) GROUP BY state
            """, [now.sqlValue] + conditions.values + [.integer(limit)], connection)
    }

    private static func count(_ sql: StaticSQL, _ values: [Value], _ connection: Connection) throws
        -> AccountTotals
    {
        let counts = try connection.rows(sql, values) { row in
            Self(rawValue: row.text(0)).map { ($0, Int(row.integer(1))) }
        }
        return Dictionary(uniqueKeysWithValues: counts.compactMap(\.self))
    }
}

/// Account queries for administrators.
extension EmbeddedBackend {
    /// A page of a workspace's accounts.
    package func accounts(_ query: AccountQuery) async throws -> AccountPage {
        let now = now(in: query.workspace)
        return try await context.database.read(isLong: true) { connection in
            var conditions = query.conditions
            var limit = Int.max
            var areFew = false
            let totals: AccountTotals
            if let condition = query.textCondition {
                let stored = try connection.accountCount(in: query.workspace)
                if stored > query.exactCountLimit { limit = query.countLimit }
                areFew = try conditions.add(
                    condition, of: query.workspace, upTo: limit, connection)
                totals = try AccountDetails.State.totals(
                    where: conditions, at: now, limit: limit, connection)
            } else {
                totals = try AccountDetails.State.totals(
                    query.workspace, query.contract, at: now, connection)
            }
            query.state?.restrict(&conditions, at: now)
            let sum = totals.values.reduce(0, +)
            let isExact = sum < limit
            let total = query.state.map { totals[$0] ?? 0 } ?? sum
            if isExact, total == 0 { conditions.add("0") }
            // Without the sign, SQLite reads all accounts in this order instead of the few.
            let key: StaticSQL = areFew ? "+accounts.sequence" : "accounts.sequence"
            let page = try connection.page(
                query.keyset, by: key, Self.accountColumns, from: "accounts",
                where: conditions, total: (total, isExact)
            ) { self.accountDetails($0, at: now) }
            return AccountPage(page: page, totals: totals)
        }
    }

    /// The columns of `Account`, and the number of sessions that are not revoked.
    private static let accountColumns: StaticSQL = """
        \(Account.columns), (SELECT count(*) FROM sessions WHERE sessions.account = accounts.id
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
        try await context.database.read { try $0.accountCount(in: workspace) }
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
        let administration = administration(of: account.realm.contract)
        return AccountDetails(
            id: account.id, contract: account.realm.contract,
            workspace: account.realm.workspace, email: account.email, deviceID: account.deviceID,
            phone: account.phone, phoneVerifiedAt: account.phoneVerifiedAt?.date,
            displayName: administration?.displayName(of: account),
            state: account.state(at: now), emailVerifiedAt: account.emailVerifiedAt?.date,
            disabledAt: account.disabledAt?.date, lockedUntil: account.lockedUntil?.date,
            hasPassword: account.passwordHash != nil, createdAt: account.createdAt.date,
            lastLoginAt: account.lastLoginAt?.date,
            activeSessionCount: Int(row.integer(Account.columnCount)),
            accessTokenTTL: tokenLifetimes.overrideSeconds(of: account.id, in: account.realm),
            identities: account.identities, factors: account.factors,
            authenticatorCodes: authenticatorCodes(of: account, at: now),
            metadata: administration?.metadata(of: account) ?? [])
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

extension Connection {
    fileprivate func accountCount(in workspace: String) throws -> Int {
        try count("SELECT sum(number) FROM account_totals WHERE workspace = ?", [.text(workspace)])
    }
}

extension Conditions {
    /// Adds the condition of a search. If fewer than `limit` accounts meet it, they are found by
    /// reading an index alone, and the result is true; of more, every page has some.
    fileprivate mutating func add(
        _ search: Conditions, of workspace: String, upTo limit: Int, _ connection: Connection
    ) throws -> Bool {
        let found =
            limit == .max
            ? nil
            : try connection.rows(
                """
                SELECT sequence FROM accounts WHERE workspace = ? AND \(search.sql) \
                ORDER BY sequence DESC LIMIT ?
                """, [.text(workspace)] + search.values + [.integer(limit)]
            ) { String($0.integer(0)) }
        // Two contracts may have the same sequence.
        add(search.sql, values: search.values)
        guard let found, found.count < limit else { return false }
        add(
            "accounts.sequence IN (SELECT value FROM json_each(?))",
            .text("[" + found.joined(separator: ",") + "]"))
        return true
    }
}
