import Backend
import Crypto
import SQLite
import Web

/// What a code or an access token of an embedded provider stands for, as stored with its digest.
struct ProviderGrant: Sendable {
    var kind: Kind
    let provider: SignInProvider
    let clientID: String
    let redirectURL: String
    let nonce: String?
    let person: ProviderPerson

    enum Kind: String, Sendable { case code, token }

    fileprivate var jsonText: String {
        let json: JSON = [
            "kind": .string(kind.rawValue), "provider": .string(provider.rawValue),
            "client": .string(clientID), "redirect": .string(redirectURL), "nonce": JSON(nonce),
            "person": person.json,
        ]
        return json.description
    }
}

extension ProviderGrant {
    fileprivate init?(_ challenge: Challenge) {
        guard let json = try? JSON(parsing: challenge.contractData ?? ""),
            let kind = json["kind"]?.string.flatMap(Kind.init),
            let provider = json["provider"]?.string.flatMap(SignInProvider.init(rawValue:)),
            let clientID = json["client"]?.string, let redirectURL = json["redirect"]?.string,
            let person = ProviderPerson(json["person"])
        else { return nil }
        self.init(
            kind: kind, provider: provider, clientID: clientID, redirectURL: redirectURL,
            nonce: json["nonce"]?.string, person: person)
    }
}

extension Connection {
    func add(
        _ grant: ProviderGrant, secret: String, lifetime: Duration, in realm: Realm,
        at now: Timestamp
    ) throws {
        try addCode(
            Challenge(
                digest: Digest.sha256(secret), accountID: nil, realm: realm, purpose: .provider,
                email: grant.provider.rawValue, createdAt: now, expiresAt: now + lifetime,
                contractData: grant.jsonText))
    }

    /// The grant of a code or a token. Nil if it is unknown, used or expired.
    func providerGrant(
        _ kind: ProviderGrant.Kind, secret: String, in realm: Realm, at now: Timestamp
    ) throws -> (challenge: Challenge, grant: ProviderGrant)? {
        guard
            let challenge = try challenge(Digest.sha256(secret), for: .provider, in: realm),
            challenge.state(at: now) == .valid, let grant = ProviderGrant(challenge),
            grant.kind == kind
        else { return nil }
        return (challenge, grant)
    }
}

extension ProviderPerson {
    /// The last part of the URL of the person's picture.
    var pictureName: String { (initials.isEmpty ? "x" : initials) + ".svg" }
}

extension Contract {
    /// The app's name on the consent page.
    var consentAppName: String { Self.id.prefix(1).uppercased() + Self.id.dropFirst() }

    /// The people offered on a provider's page: the newest users of the workspace, and the built-in
    /// ones.
    /// `provider` is named as in the contract's identities.
    func knownPeople(at provider: String) async throws -> [ProviderPerson] {
        let accounts = try await database.read { connection in
            let ids = try connection.rows(
                """
                SELECT id FROM accounts WHERE workspace = ? AND contract = ?
                ORDER BY coalesce(last_login_at, created_at) DESC, id LIMIT 8
                """, [.text(realm.workspace), .text(realm.contract)]
            ) { $0.text(0) }
            return try ids.compactMap { try connection.account($0, in: realm) }
        }
        var people: [ProviderPerson] = []
        for account in accounts {
            let identity = account.identities.first { $0.provider == provider }
            let data = identity.flatMap { try? JSON(parsing: $0.data) }
            let email = data?["email"]?.string ?? account.email
            let name = data?["name"]?.string ?? Self.displayName(of: account)
            guard email != nil || data != nil,
                !people.contains(where: { $0.email == email && ($0.name == name || email != nil) })
            else {
                continue
            }
            people.append(
                ProviderPerson(
                    name: name.flatMap { $0.isEmpty ? nil : $0 } ?? email ?? "No name",
                    email: email,
                    isEmailVerified: data?["email_verified"] != false))
        }
        let builtIn = ProviderPerson.builtIn.filter { person in
            !people.contains { $0.email == person.email && $0.name == person.name }
        }
        return people + builtIn
    }
}
