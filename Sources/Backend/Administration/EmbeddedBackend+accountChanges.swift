import Core
import Crypto
import SQLite
package import Web

/// Changes to an account, applied together or not at all.
package struct AccountChange: Sendable, Equatable {
    package var isVerified: Bool?
    package var isDisabled: Bool?
    package var lock: Lock?
    package var password: String?
    package var shouldSignOut = false
    package var accessTokenTTL: TTL?
    /// The ids of factors and identities to remove.
    package var removedFactors: [String] = []
    package var removedIdentities: [String] = []
    /// New metadata by name.
    package var metadata: [String: [JSON.Member]] = [:]

    /// The account's lock against sign-ins.
    package enum Lock: Sendable, Equatable {
        case unlocked
        /// Locked for this many seconds from now.
        case locked(seconds: Int)
    }

    /// The lifetime of the account's access tokens.
    package enum TTL: Sendable, Equatable {
        /// The contract's default.
        case contractDefault
        case seconds(Int)

        /// Nil for the contract's default.
        var seconds: Int? { if case .seconds(let seconds) = self { seconds } else { nil } }
    }

    package init() {}

    /// The usual lockout time of real servers.
    package static let defaultLockSeconds = 900
    /// At most a year.
    package static let lockSecondsRange = 1...31_536_000
    package static let accessTokenTTLRange = TokenLifetimes.secondsRange

    /// In the order they are applied.
    package var actions: [AdminAction] {
        var result: [AdminAction] = []
        if let verified = isVerified { result.append(verified ? .verify : .unverify) }
        if let disabled = isDisabled { result.append(disabled ? .disable : .enable) }
        if let lock { result.append(lock == .unlocked ? .unlock : .lock) }
        if password != nil { result.append(.setPassword) }
        if shouldSignOut { result.append(.signOut) }
        return result
    }
}

/// An account to create on the embedded backend.
package struct AccountDraft: Sendable, Equatable {
    /// Generated if nil.
    package var email: String?
    /// Generated if nil and the contract requires one.
    package var password: String?
    package var state: State
    /// The name shown on screens; derived from the address if nil.
    package var displayName: String?
    /// The lifetime of its access tokens in seconds; nil for the contract's default.
    package var accessTokenTTL: Int?
    /// Whether it has an authenticator app as a second factor, where the contract supports that.
    package var hasAuthenticator = false

    /// The account's initial state.
    package enum State: String, Sendable, CaseIterable {
        /// A verification mail was sent but not used.
        case unverified
        case verified
        /// Verified, and locked for a limited time.
        case locked
    }

    package init(
        email: String? = nil, password: String? = nil, state: State = .verified,
        displayName: String? = nil, accessTokenTTL: Int? = nil
    ) {
        self.email = email
        self.password = password
        self.state = state
        self.displayName = displayName
        self.accessTokenTTL = accessTokenTTL
    }

    /// First and last name, for servers that store both.
    package static func splitName(of displayName: String) -> (first: String, last: String) {
        let words = displayName.split(separator: " ", maxSplits: 1)
        return (
            words.first.map(String.init) ?? displayName, words.count > 1 ? String(words[1]) : "Doe"
        )
    }

    /// Derives a name from the local part: `nora.j@example.com` gives `Nora J`.
    static func defaultDisplayName(of address: EmailAddress) -> String {
        let words = address.text.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        return words.isEmpty ? "Test User" : words.joined(separator: " ")
    }
}

/// Changes accounts as the server's administrator.
extension EmbeddedBackend {
    /// Applies all of `change`; or throws a `Problem` naming what the contract does not support,
    /// and changes nothing.
    package func change(_ change: AccountChange, account id: String, workspace: String) async throws
        -> AccountDetails
    {
        guard let details = try await account(id, workspace: workspace),
            let administration = administration(of: details.contract)
        else { throw Problem.unknownAccount(id) }
        try validate(change, of: details, administration)
        let realm = Realm(workspace: workspace, contract: details.contract)
        var hash: String?
        if let password = change.password { hash = try await context.hasher.hash(password) }
        let (now, newHash) = (context.now(in: realm), hash)
        try await context.database.write { connection in
            guard let account = try connection.account(id, in: realm) else {
                throw Problem.unknownAccount(id)
            }
            try Self.apply(change, newHash, to: account, administration, connection, at: now)
        }
        if change.lock == .unlocked || change.password != nil,
            let account = try await context.database.read({ try $0.account(id, in: realm) })
        {
            administration.clearRateLimits(context.rateLimits, of: account)
        }
        if let lifetime = change.accessTokenTTL {
            try await tokenLifetimes.setLifetime(lifetime.seconds, of: id, in: realm)
        }
        let changes =
            change.actions.map(\.pastTense)
            + (change.accessTokenTTL == nil ? [] : ["given another access token lifetime"])
            + (change.metadata.isEmpty ? [] : ["given other metadata"])
            + (change.removedFactors.isEmpty ? [] : ["freed from a second factor"])
            + (change.removedIdentities.isEmpty ? [] : ["separated from an identity"])
        if !changes.isEmpty {
            publishEvent(
                .accountChanged, id, realm,
                "\(details.label) was \(changes.joined(separator: ", "))",
                ["actions": change.actions.map(\.rawValue).joined(separator: " ")])
        }
        return try await account(id, workspace: workspace) ?? details
    }

    /// Deletes the account with its sessions, codes and links; its tokens become invalid.
    package func delete(account id: String, workspace: String) async throws {
        guard let details = try await account(id, workspace: workspace) else {
            throw Problem.unknownAccount(id)
        }
        let realm = Realm(workspace: workspace, contract: details.contract)
        try await context.database.write { connection in try connection.remove(account: id) }
        try await tokenLifetimes.setLifetime(nil, of: id, in: realm)
        publishEvent(.accountRemoved, id, realm, "\(details.label) was deleted")
    }

    /// Sets the access token lifetime of a contract in a workspace; nil for the contract's default.
    package func setAccessTokenTTL(_ seconds: Int?, contract: String, workspace: String)
        async throws
    {
        try Self.validate(accessTokenTTL: seconds)
        try await tokenLifetimes.setLifetime(
            seconds, of: nil, in: Realm(workspace: workspace, contract: contract))
    }

    private func validate(
        _ change: AccountChange, of account: AccountDetails,
        _ administration: any ContractAdministration.Type
    ) throws(Problem) {
        for action in change.actions {
            let rule = availability(
                action, contract: account.contract, isDevice: account.deviceID != nil)
            guard !rule.isAvailable else { continue }
            throw .unsupported(by: account.contract, rule.explanation, at: action.fieldName)
        }
        try Self.validate(password: change.password, administration)
        if case .locked(let seconds) = change.lock,
            !AccountChange.lockSecondsRange.contains(seconds)
        {
            throw .invalidAccountField("lockSeconds", "must be 1 to 31536000")
        }
        try Self.validate(accessTokenTTL: change.accessTokenTTL?.seconds)
        for name in change.metadata.keys.sorted() {
            guard !account.metadata.contains(where: { $0.name == name }) else { continue }
            let names = account.metadata.map(\.name).joined(separator: ", ")
            throw .invalidAccountField(
                "metadata/\(name)",
                names.isEmpty
                    ? "is unknown; this server stores none" : "is unknown; valid: \(names)")
        }
        for id in change.removedFactors where !account.factors.contains(where: { $0.id == id }) {
            throw .invalidAccountField(
                "removeFactors", "has an id that is no factor of the account")
        }
        for id in change.removedIdentities
        where !account.identities.contains(where: { $0.id == id }) {
            throw .invalidAccountField(
                "removeIdentities", "has an id that is no identity of the account")
        }
    }

    private static func apply(
        _ change: AccountChange, _ hash: String?, to account: Account,
        _ administration: any ContractAdministration.Type, _ connection: Connection,
        at now: Timestamp
    ) throws {
        switch change.isVerified {
        case true: try administration.verifyEmail(of: account, on: connection, at: now)
        case false: try connection.unverifyEmail(of: account.id)
        case nil: break
        }
        if let disabled = change.isDisabled {
            // Disabling twice keeps the first time.
            try connection.setDisabled(
                account: account.id, at: disabled ? account.disabledAt ?? now : nil)
        }
        switch change.lock {
        case .locked(let seconds):
            try connection.setLock(account: account.id, until: now + .seconds(seconds))
        case .unlocked: try connection.setLock(account: account.id, until: nil)
        case nil: break
        }
        // The changes above may have written the profile too.
        guard let current = try connection.account(account.id, in: account.realm) else { return }
        if let hash {
            try administration.setPassword(to: hash, of: current, on: connection, at: now)
        }
        for (name, members) in change.metadata.sorted(by: { $0.key < $1.key }) {
            guard let current = try connection.account(account.id, in: account.realm) else {
                return
            }
            try administration.setMetadata(name, to: members, of: current, on: connection, at: now)
        }
        for factor in current.factors where change.removedFactors.contains(factor.id) {
            try administration.remove(factor, of: current, on: connection, at: now)
        }
        for identity in current.identities where change.removedIdentities.contains(identity.id) {
            try administration.remove(identity, of: current, on: connection, at: now)
        }
        guard change.shouldSignOut,
            let updated = try connection.account(account.id, in: account.realm)
        else { return }
        try administration.revokeSessions(of: updated, on: connection, at: now)
    }
}

extension AdminAction {
    /// The API's field for the action.
    package var fieldName: String {
        switch self {
        case .verify, .unverify: "verified"
        case .disable, .enable: "disabled"
        case .lock, .unlock: "locked"
        case .setPassword: "password"
        case .signOut: "signOut"
        case .delete: ""
        }
    }

    /// Completes the sentence "The account was …".
    fileprivate var pastTense: String {
        switch self {
        case .verify: "verified"
        case .unverify: "marked unverified"
        case .disable: "disabled"
        case .enable: "enabled"
        case .lock: "locked"
        case .unlock: "unlocked"
        case .setPassword: "given a new password"
        case .signOut: "signed out everywhere"
        case .delete: "deleted"
        }
    }
}
