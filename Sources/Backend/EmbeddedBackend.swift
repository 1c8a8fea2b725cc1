package import SQLite
package import Secrets
package import Surroundings
package import Web

/// The backend that is built in: the apps' contracts over real sockets.
///
/// Reached like a real one, at `http://127.0.0.1:7071/{workspace}/{app}/…`.
/// What the console needs besides (caught mail, keys, ageing a token) is asked
/// of this value directly and never of a device.
package final class EmbeddedBackend: Sendable {
    private let door: FrontDoor
    let premises: Premises
    let workspaces: Workspaces
    let lives: TokenLives
    private let trails = Trails()
    let contracts: [Contract]
    let blueprints = Contract.all

    /// Reads its keys, or makes and seals them at first start.
    ///
    /// `base` is the address its port answers at, `hosts` are further names
    /// its clients may use. Throws
    /// `SecretsError.wrongKey` if the keys were sealed with another key.
    package init(
        database: Database, sealer: Sealer, world: World, clocks: Clocks, hub: EventHub,
        hasher: PasswordHasher, base: String, hosts: [String] = [], trouble: Trouble = .none
    ) async throws {
        premises = Premises(
            database: TracedDatabase(plain: database), world: world, clocks: clocks, hub: hub,
            hasher: TracedHasher(plain: hasher),
            mailbox: Mailbox(database: database, sealer: sealer, world: world, hub: hub),
            switches: try await Switches(database: database), limits: RateLimits(),
            base: base.hasSuffix("/") ? String(base.dropLast()) : base)
        workspaces = try await Workspaces(database: database)
        lives = try await TokenLives(database: database)
        let keyrings = try await Keyring.all(
            of: blueprints, database: database, sealer: sealer, world: world)
        var contracts: [Contract] = []
        for (blueprint, keyring) in zip(blueprints, keyrings) {
            contracts.append(
                try blueprint.build(premises, AccessTokens(keyring: keyring, lives: lives)))
        }
        self.contracts = contracts
        door = FrontDoor(
            contracts: contracts, natives: blueprints.natives, workspaces: workspaces,
            premises: premises, trouble: trouble, trails: trails,
            hosts: Set(hosts.map { $0.lowercased() }))
    }

    /// The contracts, for its own port. Total: garbage gets an answer.
    package var responder: Responder { { [door] request in await door.answer(request) } }

    /// The checks of a refusal whose answer bore this `X-Request-Id`, in the
    /// order they were made; they are given once.
    package func checks(ofRequest id: String) -> [CheckMade]? { trails.take(id) }

    /// Caught mail.
    package var mailbox: Mailbox { premises.mailbox }

    /// What a contract's keys say of a token's signature.
    package func judge(_ token: String, contract: String, workspace: String) -> Verdict {
        guard let keyring = tokens(of: contract)?.keyring else {
            return Verdict(
                word: .unverified, reason: "The embedded backend has no contract \(contract).")
        }
        return keyring.judge(token)
    }

    /// The same token, ended a second ago and signed anew; nil if it is none
    /// of ours.
    package func expired(_ token: String, contract: String, workspace: String) -> String? {
        let realm = Realm(workspace: workspace, contract: contract)
        return tokens(of: contract)?.expired(token, at: premises.now(in: realm))
    }

    /// Makes a workspace; one that is there already stays as it is.
    package func open(workspace: String) async throws { try await workspaces.open(workspace) }

    /// Empties a workspace: accounts, sessions, mail.
    package func reset(workspace: String) async throws {
        try await workspaces.empty(workspace)
        try await premises.switches.forget(workspace: workspace)
        try await lives.forget(workspace: workspace)
        premises.limits.forget(workspace: workspace)
    }

    /// Forgets a workspace with everything in it.
    package func drop(workspace: String) async throws {
        try await workspaces.drop(workspace)
        try await premises.switches.forget(workspace: workspace)
        try await lives.forget(workspace: workspace)
        premises.limits.forget(workspace: workspace)
    }

    /// Every workspace of which there is anything here, known or not.
    package func mentionedWorkspaces() async throws -> Set<String> {
        try await workspaces.mentioned()
    }

    func tokens(of contract: String) -> AccessTokens? {
        contracts.first { $0.id == contract }?.tokens
    }
}
