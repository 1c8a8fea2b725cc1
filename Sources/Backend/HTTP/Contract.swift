package import Core
package import Crypto
package import SQLite
package import Web

/// The server of one app: its routes and error format, and how its accounts are administered.
package protocol Contract: ContractAdministration {
    /// The second segment of every path; its keys are stored under it.
    static var id: String { get }
    /// The keys it signs with.
    static var keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] { get }
    /// The kind of its real clients, such as `firebase`; `GET /api/backend` lists its settings
    /// under this name.
    static var clientName: String? { get }
    /// First path segments the contract serves at the root, for the workspace `main`: real clients
    /// support no other address.
    static var rootPaths: Set<String> { get }
    /// What it adds to the response at the root of the backend's port.
    static var rootIndex: [JSON.Member] { get }
    /// Features that each workspace can turn on and off.
    static var switches: [FeatureSwitch] { get }
    /// The faults that can be injected into it.
    static var supportedFaults: Set<FaultHooks.Kind> { get }

    init(services: ContractContext, accessTokens: AccessTokens, realm: Realm) throws

    var services: ContractContext { get }
    var accessTokens: AccessTokens { get }
    /// The workspace whose requests this copy serves, and the contract itself.
    var realm: Realm { get set }
    /// All patterns begin with `/{workspace}/<id>`.
    var routes: [Route] { get }

    /// Converts an error of a handler or of the router to the contract's error format.
    func makeFailureResponse(_ error: any Error, to request: Request) -> Response
    /// Applied to every response last, such as for CORS headers and preflight responses.
    func finalize(_ response: Response, for request: Request) -> Response
    /// Called inside the write that adds an account.
    func didAdd(_ account: Account, on connection: Connection) throws
    /// What a client of its workspace needs to know: addresses, keys, names.
    var clientSettings: [ContractInfo.ClientSetting] { get }
    /// How clients are pointed at its workspace.
    var clientSnippets: [ClientSnippet] { get }
    /// The real server's endpoints that are incomplete or missing.
    static var endpointNotes: [ContractEndpoint] { get }
    /// What a request to a path below its base address may contain.
    static func requestFields(of path: String) -> [RequestField]
    /// The names of headers with which its clients authenticate.
    static var requestHeaders: [String] { get }
}

extension Contract {
    package static var clientName: String? { nil }
    package static var rootPaths: Set<String> { [] }
    package static var rootIndex: [JSON.Member] { [] }
    package static var switches: [FeatureSwitch] { [] }
    package static var supportedFaults: Set<FaultHooks.Kind> {
        [.clockSkew, .mailLost, .accountLocked]
    }

    package func finalize(_ response: Response, for request: Request) -> Response { response }
    package func didAdd(_ account: Account, on connection: Connection) throws {}
    package var clientSettings: [ContractInfo.ClientSetting] { [] }
    package var clientSnippets: [ClientSnippet] { [] }
    package static var endpointNotes: [ContractEndpoint] { [] }
    package static func requestFields(of path: String) -> [RequestField] { [] }
    package static var requestHeaders: [String] { ["Authorization"] }

    var id: String { Self.id }

    /// The contract for requests to a workspace.
    package func bound(to workspace: String) -> Self {
        var contract = self
        contract.realm.workspace = workspace
        return contract
    }
}

/// What clients need to know of a contract: its address and its settings.
package struct ContractInfo: Sendable, Equatable {
    /// The contract's id, the second segment of its paths.
    package var contractID: String
    /// `http://127.0.0.1:7071/main/atlas`
    package var baseURL: String
    /// The kind of its real clients: `supabase`, `firebase`.
    package var clientName: String?
    /// The address at the root, where real clients expect the service; only for the workspace
    /// `main` and contracts with root paths.
    package var rootURL: String?
    /// The values that such a client is configured with.
    package var clientSettings: [ClientSetting]
    package var switches: [SwitchState]
    package var endpoints: [ContractEndpoint]
    package var clientSnippets: [ClientSnippet]

    /// A client's configuration value: `anonKey`, `projectID` …
    package struct ClientSetting: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A feature switch and its current state.
    package struct SwitchState: Sendable, Equatable {
        package var name: String
        /// Display text: the effect of turning it on.
        package var text: String
        package var isOn: Bool
    }
}

/// The services shared by all contracts.
package struct ContractContext: Sendable {
    package let database: TracingDatabase
    package let world: World
    let clocks: Clocks
    let hub: EventHub
    package let hasher: TracingPasswordHasher
    package let mailbox: Mailbox
    let switches: RealmSettings
    package let rateLimits: RateLimits
    /// The tables that apps declare.
    package let declaredTables: DeclaredTables
    /// The backend's address without a trailing slash.
    let baseURL: String

    /// The time in `realm` by its workspace's clock, plus the clock skew fault of this exchange, if
    /// any.
    package func now(in realm: Realm) -> Timestamp {
        Timestamp(clocks.now(in: realm.workspace)) + FaultTicket.clockSkew
    }

    /// The time in the workspace that a request's path names first, for responses made before the
    /// path is resolved.
    package func now(for request: Request) -> Timestamp {
        let workspace = request.target.split(separator: "/").first ?? ""
        return Timestamp(clocks.now(in: String(workspace))) + FaultTicket.clockSkew
    }

    /// The base address for real clients of a contract with root paths.
    package func rootURL(of realm: Realm) -> String {
        realm.workspace == BackendWorkspaces.mainID ? baseURL : baseURL(of: realm)
    }

    /// The base address for clients of `realm`.
    package func baseURL(of realm: Realm) -> String {
        "\(baseURL)/\(realm.workspace)/\(realm.contract)"
    }

    package func isOn(_ featureSwitch: FeatureSwitch, in realm: Realm) -> Bool {
        switches.value(of: featureSwitch.name, in: realm).map { $0 != 0 }
            ?? featureSwitch.isOnByDefault
    }

    /// Turns a switch on or off, as the contract's own administration interface does it.
    package func set(_ featureSwitch: FeatureSwitch, isOn: Bool, in realm: Realm) async throws {
        try await switches.set([featureSwitch.name], to: isOn ? 1 : 0, in: realm)
    }

    /// Whether a fault locks the account after a correct password.
    package var isAccountLockSimulated: Bool {
        FaultTicket.current?.triggers(.accountLocked) ?? false
    }
}

extension Response {
    package static func json(_ json: JSON, status: Int = 200, headers: Headers = [:]) -> Response {
        let type: Headers = ["Content-Type": "application/json; charset=utf-8"]
        return Response(
            status: status, headers: Headers(type.fields + headers.fields),
            body: .bytes(json.bytes))
    }
}

/// How an administrator creates and changes accounts of a contract, as its real server's dashboard
/// or tables would do it.
package protocol ContractAdministration: Sendable {
    /// Whether every account needs a password to sign in.
    static var needsPassword: Bool { get }
    /// Whether the contract stores the names of its users.
    static var storesNames: Bool { get }

    /// How the keys of authenticator apps are stored; nil if accounts cannot have one.
    static var authenticatorKeys: AuthenticatorKeyFormat? { get }

    /// Why the server rejects a password; nil if it is accepted.
    static func passwordError(_ password: String) -> String?
    /// The contract's own data of a new account: a JSON object as text.
    static func makeProfile(of account: Account, displayName: String) -> String
    /// The name of an account's owner; nil where the contract stores none.
    static func displayName(of account: Account) -> String?
    /// The actions that the real server has no counterpart for.
    static var unsupportedActions: Set<AdminAction> { get }
    /// The consequences of an action, such as which sessions end, or why it is not supported.
    static func explanation(of action: AdminAction) -> String

    /// Marks the address as verified.
    static func verifyEmail(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    /// Sets the password to a hash and applies the contract's rule on existing sessions.
    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp) throws
    /// Ends every session, and whatever else the contract ends with them.
    static func revokeSessions(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    /// The JSON objects about the account that an administrator can replace.
    static func metadata(of account: Account) -> [AccountMetadata]
    /// Replaces one of `metadata`, by its name.
    static func setMetadata(
        _ name: String, to members: [JSON.Member], of account: Account, on connection: Connection,
        at now: Timestamp) throws
    /// Removes a second factor, so that the account can sign in without it.
    static func remove(
        _ factor: Factor, of account: Account, on connection: Connection, at now: Timestamp) throws
    /// Removes an identity at a provider.
    static func remove(
        _ identity: Identity, of account: Account, on connection: Connection, at now: Timestamp)
        throws
    /// Clears the rate limit counts of an account, in addition to its lock.
    static func clearRateLimits(_ limits: RateLimits, of account: Account)
}

extension ContractAdministration {
    package static var needsPassword: Bool { true }
    package static var storesNames: Bool { false }
    package static var authenticatorKeys: AuthenticatorKeyFormat? { nil }
    package static var unsupportedActions: Set<AdminAction> { [] }

    static func availability(of action: AdminAction) -> AdminAction.Availability {
        AdminAction.Availability(
            isAvailable: !unsupportedActions.contains(action), explanation: explanation(of: action))
    }

    package static func makeProfile(of account: Account, displayName: String) -> String { "{}" }
    package static func displayName(of account: Account) -> String? { nil }

    package static func verifyEmail(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.verifyEmail(of: account.id, at: now) }

    /// Ends no session.
    package static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.setPassword(of: account.id, hash: hash) }

    package static func revokeSessions(
        of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        try connection.revokeSessions(of: account.id, reason: .signedOutByAdministrator, at: now)
    }

    package static func clearRateLimits(_ limits: RateLimits, of account: Account) {}

    package static func metadata(of account: Account) -> [AccountMetadata] { [] }

    package static func setMetadata(
        _ name: String, to members: [JSON.Member], of account: Account, on connection: Connection,
        at now: Timestamp
    ) throws {}

    package static func remove(
        _ factor: Factor, of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.remove(factor: factor.id) }

    package static func remove(
        _ identity: Identity, of account: Account, on connection: Connection, at now: Timestamp
    ) throws { try connection.remove(identity: identity.id) }
}

/// A JSON object that a contract stores about an account.
package struct AccountMetadata: Sendable, Equatable {
    /// As the real server names it: `user_metadata`.
    package let name: String
    /// Display text: who can change it and where it appears.
    package let text: String
    package let members: [JSON.Member]

    package init(name: String, text: String, members: [JSON.Member]) {
        self.name = name
        self.text = text
        self.members = members
    }
}

/// An administrator's action on an account.
package enum AdminAction: String, Sendable, CaseIterable {
    case verify, unverify, disable, enable, lock, unlock
    case setPassword = "password"
    case signOut = "sign-out"
    case delete
}

extension AdminAction {
    /// Whether a contract supports an action, with an explanation for users.
    package struct Availability: Sendable, Equatable {
        package let isAvailable: Bool
        /// The consequences, such as which sessions end, or why the contract does not support it.
        package let explanation: String
    }
}

extension ContractContext {
    /// A mail written from a template, with a challenge that is found by `digest` and valid for
    /// `lifetime`. `id` is of the kind `mail`.
    package func makeMail(
        _ template: MailTemplate, id: String? = nil, digest: String, purpose: Challenge.Purpose,
        lifetime: Duration, to address: String, account: String?, contractData: String? = nil,
        in realm: Realm
    ) throws -> OutgoingMail {
        var challenge = makeChallenge(
            id, digest, purpose, lifetime, to: address, account, in: realm)
        challenge.contractData = contractData
        return try makeMail(for: challenge, template.makeMail)
    }

    /// A text message to a phone number, with a challenge like that of `makeMail`.
    package func makeTextMessage(
        _ template: TextMessageTemplate, id: String? = nil, digest: String,
        purpose: Challenge.Purpose, lifetime: Duration, to phone: String, account: String?,
        codeDigest: String? = nil, contractData: String? = nil, in realm: Realm
    ) throws -> OutgoingMail {
        var challenge = makeChallenge(
            id, digest, purpose, lifetime, to: phone, account, in: realm)
        challenge.codeDigest = codeDigest
        challenge.contractData = contractData
        return try makeMail(for: challenge, template.makeMessage)
    }

    private func makeChallenge(
        _ mailID: String?, _ digest: String, _ purpose: Challenge.Purpose, _ lifetime: Duration,
        to recipient: String, _ account: String?, in realm: Realm
    ) -> Challenge {
        let now = now(in: realm)
        return Challenge(
            digest: digest, accountID: account, realm: realm, purpose: purpose, email: recipient,
            mailID: mailID ?? world.makeID("mail"), createdAt: now, expiresAt: now + lifetime)
    }

    private func makeMail(for challenge: Challenge, _ write: (String, Challenge) -> Mail) throws
        -> OutgoingMail
    {
        let mail = write(challenge.mailID ?? "", challenge)
        return OutgoingMail(
            mail: mail, sealedContent: try mailbox.sealer.seal(mail.sealableContent),
            challenge: challenge)
    }

    /// Encrypts a secret that must be read again.
    package func seal(_ secret: String) throws -> String { try mailbox.sealer.seal(secret) }

    /// Decrypts a secret that `seal` encrypted.
    package func open(_ sealed: String) throws -> String { try mailbox.sealer.open(sealed) }
}
