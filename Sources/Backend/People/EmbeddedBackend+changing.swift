import SQLite
import Secrets
import Surroundings
import Web

/// Its people, changed by whoever runs it.
extension EmbeddedBackend {
    /// Does all of `change`, or throws a `Problem` that says what the
    /// contract does not know, and does nothing.
    package func change(_ change: AccountChange, account id: String, workspace: String) async throws
        -> KnownAccount
    {
        guard let known = try await account(id, workspace: workspace) else {
            throw Problem.unknownAccount(id)
        }
        guard let people = people(of: known.contract) else { throw Problem.unknownAccount(id) }
        try check(change, of: known, people)
        let realm = Realm(workspace: workspace, contract: known.contract)
        var hash: String?
        if let password = change.password { hash = try await premises.hasher.hash(password) }
        let (now, taken) = (premises.now(in: realm), hash)
        try await premises.database.write { connection in
            guard let account = try connection.account(id, in: realm) else {
                throw Problem.unknownAccount(id)
            }
            try Self.apply(change, taken, to: account, people, connection, at: now)
        }
        if change.lock == .open || change.password != nil,
            let account = try await premises.database.read({ try $0.account(id, in: realm) })
        {
            people.forgive(premises.limits, account)
        }
        switch change.accessTokenTTL {
        case .seconds(let seconds): try await lives.wish(seconds, of: id, in: realm)
        case .contract: try await lives.wish(nil, of: id, in: realm)
        case nil: break
        }
        let words =
            change.acts.map(\.done) + (change.accessTokenTTL == nil ? [] : ["given a token life"])
        if !words.isEmpty {
            tell(
                .accountChanged, id, realm, "\(known.who) was \(words.joined(separator: ", "))",
                ["acts": change.acts.map(\.rawValue).joined(separator: " ")])
        }
        return try await account(id, workspace: workspace) ?? known
    }

    /// Removes it with its sessions, codes and links: its tokens die.
    package func delete(account id: String, workspace: String) async throws {
        guard let known = try await account(id, workspace: workspace) else {
            throw Problem.unknownAccount(id)
        }
        let realm = Realm(workspace: workspace, contract: known.contract)
        try await premises.database.write { connection in try connection.remove(account: id) }
        try await lives.wish(nil, of: id, in: realm)
        tell(.accountRemoved, id, realm, "\(known.who) was deleted")
    }

    /// How long access tokens live in a contract of a workspace; nil for
    /// the contract's own rule.
    package func setAccessTokenTTL(_ seconds: Int?, contract: String, workspace: String)
        async throws
    {
        if let seconds, !TokenLives.seconds.contains(seconds) {
            throw Problem.wrong("accessTokenTTL", "can be 1 to 86400 seconds")
        }
        try await lives.wish(seconds, of: nil, in: Realm(workspace: workspace, contract: contract))
    }

    private func check(_ change: AccountChange, of account: KnownAccount, _ people: Contract.People)
        throws(Problem)
    {
        for act in change.acts {
            let rule = rule(act, contract: account.contract, isDevice: account.deviceID != nil)
            guard case .impossible(let why) = rule else { continue }
            throw .notKnown(to: account.contract, why, at: act.field)
        }
        if let password = change.password, let objection = people.objection(password) {
            throw .wrong("password", objection)
        }
        if case .locked(let seconds) = change.lock, !AccountChange.locks.contains(seconds) {
            throw .wrong("lockSeconds", "can be 1 to 31536000")
        }
        if case .seconds(let seconds) = change.accessTokenTTL, !TokenLives.seconds.contains(seconds)
        {
            throw .wrong("accessTokenTTL", "can be 1 to 86400 seconds")
        }
    }

    private static func apply(
        _ change: AccountChange, _ hash: String?, to account: Account, _ people: Contract.People,
        _ connection: Connection, at now: Moment
    ) throws {
        switch change.verified {
        case true: try people.verify(account, connection, now)
        case false: try connection.unverifyEmail(of: account.id)
        case nil: break
        }
        if let disabled = change.disabled {
            // Disabled twice, it stays so since the first time.
            try connection.disable(
                account: account.id, at: disabled ? account.disabledAt ?? now : nil)
        }
        switch change.lock {
        case .locked(let seconds):
            try connection.lock(account: account.id, until: now + .seconds(seconds))
        case .open: try connection.lock(account: account.id, until: nil)
        case nil: break
        }
        // What went before may have written the profile too.
        guard let current = try connection.account(account.id, in: account.realm) else { return }
        if let hash { try people.takePassword(hash, current, connection, now) }
        guard change.signsOut, let last = try connection.account(account.id, in: account.realm)
        else { return }
        try people.signOut(last, connection, now)
    }
}

extension AccountAct {
    /// The API's field for it.
    package var field: String {
        switch self {
        case .verify, .unverify: "verified"
        case .disable, .enable: "disabled"
        case .lock, .unlock: "locked"
        case .password: "password"
        case .signOut: "signOut"
        case .delete: ""
        }
    }

    /// `verified`, after "was".
    fileprivate var done: String {
        switch self {
        case .verify: "verified"
        case .unverify: "made unverified"
        case .disable: "disabled"
        case .enable: "enabled"
        case .lock: "locked"
        case .unlock: "unlocked"
        case .password: "given a new password"
        case .signOut: "signed out everywhere"
        case .delete: "deleted"
        }
    }
}
