import Core
import Crypto
import SQLite
import Web

/// Adds accounts as the server's administrator.
extension EmbeddedBackend {
    /// A new account and its password; nil where the contract requires none and none was set.
    package typealias AddedAccount = (account: AccountDetails, password: String?)

    /// Adds an account; missing values are generated.
    ///
    /// Throws a `Problem` that names the field for an invalid or taken address, a password the
    /// contract rejects, or a state it does not support.
    package func addAccount(contract: String, workspace: String, draft: AccountDraft) async throws
        -> AddedAccount
    {
        let (administration, realm) = try await resolveContract(contract, workspace)
        let address = try Self.parseEmailAddress(
            draft.email ?? "person-\(randomHex(4))@example.com")
        try validate(draft, administration, contract)
        let (password, hash) = try await choosePassword(draft, administration)
        let account = makeAccount(address, hash, draft, administration, in: realm)
        let authenticator =
            try draft.hasAuthenticator
            ? makeAuthenticator(administration, at: account.createdAt) : nil
        let isNew = try await write(in: workspace) { connection in
            guard try self.add(account, on: connection) else { return false }
            if let authenticator { try connection.add(authenticator, to: account) }
            return true
        }
        guard isNew else { throw Problem.emailTaken(address.text) }
        if let seconds = draft.accessTokenTTL {
            try await tokenLifetimes.setLifetime(seconds, of: account.id, in: realm)
        }
        publishEvent(.accountAdded, account.id, realm, "\(address.text) was added")
        guard let details = try await self.account(account.id, workspace: workspace) else {
            throw Problem.unknownAccount(account.id)
        }
        return (details, password)
    }

    /// The most accounts that one call may add.
    package static let maxAccountsPerBatch = 10_000

    /// The result of a bulk add.
    package struct BulkAddResult: Sendable, Equatable {
        /// Smaller than the requested count if addresses were taken.
        package var addedCount: Int
        package var firstEmail: String
        package var lastEmail: String
        /// Shared by all accounts, because hashing is the main cost of adding one: it is hashed
        /// once.
        package var password: String?
    }

    /// Adds many accounts with one password, with addresses `person-{batch}-{number}@domain`.
    package func addAccounts(
        _ count: Int, domain: String, contract: String, workspace: String, draft: AccountDraft
    ) async throws -> BulkAddResult {
        let (administration, realm) = try await resolveContract(contract, workspace)
        guard (1...Self.maxAccountsPerBatch).contains(count) else {
            throw Problem.invalidAccountField(
                "count", "must be 1 to \(Format.count(Self.maxAccountsPerBatch))")
        }
        try validate(draft, administration, contract)
        guard EmailAddress("person@\(domain)") != nil else {
            throw Problem.invalidAccountField("domain", "is not a valid email domain")
        }
        let (password, hash) = try await choosePassword(draft, administration)
        let batch = randomHex(2)
        let newAccounts = try (1...count).map { number in
            let address = try Self.parseEmailAddress("person-\(batch)-\(number)@\(domain)")
            return makeAccount(address, hash, draft, administration, in: realm)
        }
        let addedIDs = try await write(in: workspace) { connection in
            try newAccounts.filter { try self.add($0, on: connection) }.map(\.id)
        }
        if let seconds = draft.accessTokenTTL {
            try await tokenLifetimes.settings.set(addedIDs, to: seconds, in: realm)
        }
        publishEvent(
            .accountAdded, nil, realm, "\(addedIDs.count) accounts were added",
            ["count": String(addedIDs.count)])
        return BulkAddResult(
            addedCount: addedIDs.count, firstEmail: newAccounts.first?.email ?? "",
            lastEmail: newAccounts.last?.email ?? "", password: password)
    }

    /// Whether its address was free.
    private func add(_ account: Account, on connection: Connection) throws -> Bool {
        guard try connection.add(account) else { return false }
        try contract(account.realm.contract)?.bound(to: account.realm.workspace).didAdd(
            account, on: connection)
        return true
    }

    // MARK: Validation and defaults

    /// The draft's password, or a generated one if the contract requires one, with its hash.
    private func choosePassword(
        _ draft: AccountDraft, _ administration: any ContractAdministration.Type
    ) async throws -> (password: String?, hash: String?) {
        let password = draft.password ?? (administration.needsPassword ? generatedPassword : nil)
        guard let password else { return (nil, nil) }
        return (password, try await context.hasher.hash(password))
    }

    static func validate(password: String?, _ administration: any ContractAdministration.Type)
        throws(Problem)
    {
        guard let password, let message = administration.passwordError(password) else { return }
        throw .invalidAccountField("password", message)
    }

    static func validate(accessTokenTTL seconds: Int?) throws(Problem) {
        guard let seconds, !TokenLifetimes.secondsRange.contains(seconds) else { return }
        throw .invalidAccountField("accessTokenTTL", "must be 1 to 86400 seconds")
    }

    private func resolveContract(_ contract: String, _ workspace: String) async throws -> (
        any ContractAdministration.Type, Realm
    ) {
        guard let administration = administration(of: contract) else {
            let available = contracts.map(\.id).joined(separator: ", ")
            throw Problem.invalidAccountField(
                "app", "must be one of \(available), not \(contract.prefix(40))")
        }
        guard workspaces.contains(workspace) else { throw Problem.unknownWorkspace(workspace) }
        return (administration, Realm(workspace: workspace, contract: contract))
    }

    /// Throws `unknownWorkspace` if the write failed because the workspace was deleted meanwhile.
    private func write<Value: Sendable>(
        in workspace: String, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do { return try await context.database.write(body) } catch {
            guard workspaces.contains(workspace) else { throw Problem.unknownWorkspace(workspace) }
            throw error
        }
    }

    private func validate(
        _ draft: AccountDraft, _ administration: any ContractAdministration.Type, _ contract: String
    ) throws(Problem) {
        try Self.validate(password: draft.password, administration)
        if draft.displayName != nil, !administration.storesNames {
            throw .unsupported(
                by: contract, "This server stores no names; omit it.", at: "displayName")
        }
        let lock = administration.availability(of: .lock)
        if draft.state == .locked, !lock.isAvailable {
            throw .unsupported(by: contract, lock.explanation, at: "state")
        }
        try Self.validate(accessTokenTTL: draft.accessTokenTTL)
    }

    private func makeAccount(
        _ address: EmailAddress, _ hash: String?, _ draft: AccountDraft,
        _ administration: any ContractAdministration.Type, in realm: Realm
    ) -> Account {
        let now = context.now(in: realm)
        var account = Account(
            id: RandomTokens.uuid(context.world), realm: realm, email: address.text,
            passwordHash: hash, createdAt: now)
        if draft.state != .unverified { account.emailVerifiedAt = now }
        if draft.state == .locked {
            account.lockedUntil = now + .seconds(AccountChange.defaultLockSeconds)
        }
        account.profile = administration.makeProfile(
            of: account,
            displayName: draft.displayName ?? AccountDraft.defaultDisplayName(of: address))
        return account
    }

    private static func parseEmailAddress(_ text: String) throws(Problem) -> EmailAddress {
        guard let address = EmailAddress(text) else {
            throw .invalidAccountField("email", "is not a valid email address")
        }
        return address
    }

    /// Long enough for every contract, with all character classes.
    package var generatedPassword: String { "Foyer-\(randomHex(6))" }

    private func randomHex(_ bytes: Int) -> String {
        String(RandomTokens.hex(context.world).prefix(2 * bytes))
    }

    // MARK: Events

    func publishEvent(
        _ kind: Event.Kind, _ account: String?, _ realm: Realm, _ title: String,
        _ details: [String: String] = [:]
    ) {
        context.hub.publish(
            Event(
                workspace: realm.workspace, kind: kind, subject: account, title: title,
                details: details.merging(["contract": realm.contract]) { $1 }))
    }
}

extension Problem {
    static func emailTaken(_ email: String) -> Problem {
        Problem(
            status: 409, code: "email-taken", title: "Email already in use",
            detail: "\(email.prefix(80)) has an account; use another email.",
            errors: [.init(pointer: "/email", detail: "already has an account")])
    }

    /// An invalid value of a field.
    static func invalidAccountField(_ field: String, _ detail: String) -> Problem {
        Problem(
            status: 422, code: "invalid-account", title: "Invalid account",
            detail: "/\(field) \(detail).", errors: [.init(pointer: "/\(field)", detail: detail)])
    }

    static func unsupported(by contract: String, _ reason: String, at field: String) -> Problem {
        Problem(
            status: 422, code: "not-in-contract",
            title: "Not supported by the contract \(contract)", detail: reason,
            errors: [.init(pointer: "/\(field)", detail: reason)])
    }
}
