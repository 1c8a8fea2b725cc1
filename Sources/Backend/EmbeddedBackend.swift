package import Core
package import Crypto
package import SQLite
package import Web

/// The backend that is built in: the apps' contracts over real sockets.
///
/// Reached like a real one, at `http://127.0.0.1:7071/{workspace}/{app}/…`.
/// What the console needs besides (caught mail, keys, ageing a token) is asked
/// of this value directly and never of a device.
package final class EmbeddedBackend: Sendable {
    private let dispatcher: BackendDispatcher
    let context: ContractContext
    let workspaces: BackendWorkspaces
    let tokenLifetimes: TokenLifetimes
    private let checkTraces = CheckTraces()
    let contracts: [Contract]
    let blueprints = Contract.blueprints

    /// Reads its keys, or makes and seals them at first start.
    ///
    /// `base` is the address its port answers at, `hosts` are further names
    /// its clients may use. Throws
    /// `SecretsError.wrongKey` if the keys were sealed with another key.
    package init(
        database: Database, sealer: Sealer, world: World, clocks: Clocks, hub: EventHub,
        hasher: PasswordHasher, baseURL: String, allowedHosts: [String] = [],
        faultHooks: FaultHooks = .none
    ) async throws {
        context = ContractContext(
            database: TracingDatabase(database: database), world: world, clocks: clocks, hub: hub,
            hasher: TracingPasswordHasher(hasher: hasher),
            mailbox: Mailbox(database: database, sealer: sealer, world: world, hub: hub),
            switches: try await FeatureSwitchStore(database: database), rateLimits: RateLimits(),
            baseURL: baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL)
        workspaces = try await BackendWorkspaces(database: database)
        tokenLifetimes = try await TokenLifetimes(database: database)
        let keyrings = try await Keyring.loadAll(
            of: blueprints, database: database, sealer: sealer, world: world)
        var contracts: [Contract] = []
        for (blueprint, keyring) in zip(blueprints, keyrings) {
            contracts.append(
                try blueprint.build(
                    context, AccessTokens(keyring: keyring, lifetimes: tokenLifetimes)))
        }
        self.contracts = contracts
        dispatcher = BackendDispatcher(
            contracts: contracts, rootPaths: blueprints.rootPaths, workspaces: workspaces,
            context: context, faultHooks: faultHooks, checkTraces: checkTraces,
            allowedHosts: Set(allowedHosts.map { $0.lowercased() }))
    }

    /// The contracts, for its own port. Total: garbage gets an answer.
    package var responder: Responder {
        { [door = dispatcher] request in await door.dispatch(request) }
    }

    /// The checks of a refusal whose answer bore this `X-Request-Id`, in the
    /// order they were made; they are given once.
    package func takeCheckResults(forRequest id: String) -> [CheckResult]? { checkTraces.take(id) }

    /// Caught mail.
    package var mailbox: Mailbox { context.mailbox }

    /// What a contract's keys say of a token's signature.
    package func verifySignature(_ token: String, contract: String, workspace: String)
        -> SignatureVerification
    {
        guard let keyring = accessTokens(of: contract)?.keyring else {
            return SignatureVerification(
                status: .unverified, reason: "The embedded backend has no contract \(contract).")
        }
        return keyring.verifySignature(token)
    }

    /// The same token, ended a second ago and signed anew; nil if it is none
    /// of ours.
    package func makeExpired(_ token: String, contract: String, workspace: String) -> String? {
        let realm = Realm(workspace: workspace, contract: contract)
        return accessTokens(of: contract)?.makeExpired(token, at: context.now(in: realm))
    }

    /// Makes a workspace; one that is there already stays as it is.
    package func create(workspace: String) async throws { try await workspaces.create(workspace) }

    /// Empties a workspace: accounts, sessions, mail.
    package func reset(workspace: String) async throws {
        try await workspaces.clear(workspace)
        try await context.switches.clear(workspace: workspace)
        try await tokenLifetimes.clear(workspace: workspace)
        context.rateLimits.clear(workspace: workspace)
    }

    /// Forgets a workspace with everything in it.
    package func delete(workspace: String) async throws {
        try await workspaces.delete(workspace)
        try await context.switches.clear(workspace: workspace)
        try await tokenLifetimes.clear(workspace: workspace)
        context.rateLimits.clear(workspace: workspace)
    }

    /// Every workspace of which there is anything here, known or not.
    package func referencedWorkspaceIDs() async throws -> Set<String> {
        try await workspaces.referencedIDs()
    }

    func accessTokens(of contract: String) -> AccessTokens? {
        contracts.first { $0.id == contract }?.accessTokens
    }
}
