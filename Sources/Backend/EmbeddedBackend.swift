package import Core
package import Crypto
package import SQLite
package import Web

/// The built-in backend: serves the apps' contracts over real sockets.
///
/// Clients reach it like a real one, at `http://127.0.0.1:7071/{workspace}/{app}/…`. For everything
/// else (caught mail, keys, expiring a token) the console calls this type directly, never by way of
/// a device.
package final class EmbeddedBackend: Sendable {
    private let dispatcher: BackendDispatcher
    let context: ContractContext
    let workspaces: BackendWorkspaces
    let tokenLifetimes: TokenLifetimes
    /// The check results of recent rejections, by request id.
    private let checkResults = SharedCache<String, [CheckResult]>(capacity: 512)
    let contracts: [any Contract]

    /// Loads the keys, or generates and seals them at first start.
    ///
    /// `baseURL` is the address of its port; `allowedHosts` are further host names its clients may
    /// use. Throws a `CryptoError` of kind `wrongKey` if the keys were sealed with another key.
    package init(
        contracts types: [any Contract.Type], database: Database, sealer: Sealer, world: World,
        clocks: Clocks, hub: EventHub, hasher: PasswordHasher, baseURL: String,
        allowedHosts: [String] = [], faultHooks: FaultHooks = .none
    ) async throws {
        context = ContractContext(
            database: TracingDatabase(database: database), world: world, clocks: clocks, hub: hub,
            hasher: TracingPasswordHasher(hasher: hasher),
            mailbox: Mailbox(database: database, sealer: sealer, world: world, hub: hub),
            switches: try await RealmSettings("switches", nameColumn: "name", database: database),
            rateLimits: RateLimits(),
            baseURL: baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL)
        workspaces = try await BackendWorkspaces(database: database)
        tokenLifetimes = try await TokenLifetimes(database: database)
        let keyrings = try await Keyring.loadAll(
            of: types.map { ($0.id, $0.keyAlgorithms) }, database: database, sealer: sealer,
            world: world)
        contracts = try zip(types, keyrings).map { [context, tokenLifetimes] type, keyring in
            try type.init(
                services: context,
                accessTokens: AccessTokens(keyring: keyring, lifetimes: tokenLifetimes),
                realm: Realm(workspace: "", contract: type.id))
        }
        dispatcher = BackendDispatcher(
            servers: contracts.map { ($0, Router($0.routes)) }, workspaces: workspaces,
            context: context, faultHooks: faultHooks, checkResults: checkResults,
            allowedHosts: Set(allowedHosts.map { $0.lowercased() }))
    }

    /// Serves the contracts on the backend's own port. Total: malformed input gets an error
    /// response.
    package var responder: Responder {
        { [dispatcher = dispatcher] request in await dispatcher.dispatch(request) }
    }

    /// The checks of a rejected request, in the order they were made, by the `X-Request-Id` of its
    /// response, which are removed.
    package func takeCheckResults(forRequest id: String) -> [CheckResult]? {
        checkResults.removeValue(for: id)
    }

    /// Caught mail.
    package var mailbox: Mailbox { context.mailbox }

    /// Verifies a token's signature with a contract's keys.
    package func verifySignature(_ token: String, contract: String) -> SignatureVerification {
        guard let keyring = accessTokens(of: contract)?.keyring else {
            return SignatureVerification(
                status: .unverified, reason: "Unknown contract \(contract).")
        }
        return keyring.verifySignature(token)
    }

    /// The token with an expiry one second ago, signed again; nil unless this contract's key signed
    /// it.
    package func makeExpired(_ token: String, contract: String, workspace: String) -> String? {
        let realm = Realm(workspace: workspace, contract: contract)
        return accessTokens(of: contract)?.makeExpired(token, at: context.now(in: realm))
    }

    /// Creates a workspace; has no effect on an existing one.
    package func create(workspace: String) async throws { try await workspaces.create(workspace) }

    /// Deletes the data of a workspace: accounts, sessions, mail, switches, lifetimes and rate
    /// limits.
    package func reset(workspace: String) async throws {
        try await workspaces.clear(workspace)
        try await clearSettings(workspace)
    }

    /// Deletes a workspace with all its data.
    package func delete(workspace: String) async throws {
        try await workspaces.delete(workspace)
        try await clearSettings(workspace)
    }

    private func clearSettings(_ workspace: String) async throws {
        try await context.switches.clear(workspace: workspace)
        try await tokenLifetimes.settings.clear(workspace: workspace)
        context.rateLimits.clear(workspace: workspace)
    }

    /// All workspaces referenced in the database, existing or not.
    package func referencedWorkspaceIDs() async throws -> Set<String> {
        try await workspaces.referencedIDs()
    }

    func contract(_ id: String) -> (any Contract)? { contracts.first { $0.id == id } }

    func accessTokens(of contract: String) -> AccessTokens? {
        self.contract(contract)?.accessTokens
    }
}

extension EmbeddedBackend {
    /// What a client in `workspace` needs to know of each contract.
    package func contractInfos(in workspace: String) -> [ContractInfo] {
        contracts.map { contract in
            let type = type(of: contract)
            let realm = Realm(workspace: workspace, contract: contract.id)
            return ContractInfo(
                contractID: contract.id, baseURL: context.baseURL(of: realm),
                clientName: type.clientName,
                rootURL: workspace == BackendWorkspaces.mainID && !type.rootPaths.isEmpty
                    ? context.baseURL : nil,
                clientSettings: contract.bound(to: workspace).clientSettings,
                switches: type.switches.map { featureSwitch in
                    ContractInfo.SwitchState(
                        name: featureSwitch.name, text: featureSwitch.text,
                        isOn: context.isOn(featureSwitch, in: realm))
                })
        }
    }

    /// The ids of all contracts.
    package var contractIDs: [String] { contracts.map(\.id) }

    /// The value of a contract's client setting; nil if it has none of that name.
    package func clientSetting(_ name: String, of contract: String, in workspace: String) -> String?
    {
        self.contract(contract)?.bound(to: workspace).clientSettings.first { $0.name == name }?
            .value
    }

    /// Turns a switch on or off; false if the contract has none of that name.
    package func setSwitch(_ name: String, isOn: Bool, of contract: String, in workspace: String)
        async throws -> Bool
    {
        let switches = self.contract(contract).map { type(of: $0).switches } ?? []
        guard switches.contains(where: { $0.name == name }) else { return false }
        try await context.switches.set(
            [name], to: isOn ? 1 : 0, in: Realm(workspace: workspace, contract: contract))
        return true
    }
}

/// Deletes ended sessions and expired challenges inside a write, for every contract.
///
/// Each of these rows is looked up by a secret that is stored only as a digest, and is reported as
/// unknown once deleted: to a client that refreshes, a deleted session and one that never existed
/// are the same. Rows are retained for a day, so that "expired" and "signed out" can still be
/// reported.
extension Connection {
    private static var retention: Duration { .seconds(86_400) }

    /// True for one of every 64 random ids.
    private func isTimeToPrune(_ id: String) -> Bool {
        UInt8(id.suffix(2), radix: 16).map { $0 % 64 == 0 } ?? false
    }

    /// Called for every new session. Removes ended sessions of its workspace with their refresh
    /// tokens, more per run than the inserts between two runs can add.
    func pruneSessions(after session: BackendSession) throws {
        guard isTimeToPrune(session.id) else { return }
        try run(
            """
            DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
                WHERE revoked_at IS NOT NULL AND revoked_at < ? AND workspace = ? LIMIT 256)
            """, [(session.createdAt - Self.retention).sqlValue, .text(session.realm.workspace)])
    }

    /// Called for every new challenge. Removes expired challenges of its workspace with their PKCE
    /// flows. An account's newest challenge to verify its address is retained, because it is
    /// queried for as long as the account exists.
    func pruneChallenges(after challenge: Challenge) throws {
        guard isTimeToPrune(challenge.digest) else { return }
        let expired: StaticSQL = """
            SELECT digest FROM challenges
            WHERE (account IS NULL OR replaced_at IS NOT NULL
                OR purpose NOT IN ('verify', 'verify code'))
                AND expires_at < ?1 AND workspace = ?2
            ORDER BY expires_at LIMIT 256
            """
        let values = [
            (challenge.createdAt - Self.retention).sqlValue, .text(challenge.realm.workspace),
        ]
        try run("DELETE FROM flows WHERE link IN (\(expired))", values)
        try run("DELETE FROM challenges WHERE digest IN (\(expired))", values)
    }
}
