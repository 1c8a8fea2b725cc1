import Backend
import FoundationEssentials
import SQLite
import Web

/// The auth server's account data, stored in the account's `profile`.
struct SocotoUser: Sendable, Equatable {
    /// The identity of the account's address. Nil if it has none; other identities have rows of
    /// their own.
    var emailIdentity: Identity?
    /// Chosen by the user. Sorted by name, as the server's maps are.
    var metadata: [JSON.Member]
    /// Set by administrators, in addition to the providers. Sorted by name.
    var appMetadata: [JSON.Member] = []
    /// The `role` claim.
    var role = SocotoUser.defaultRole
    var confirmationSentAt: Timestamp?
    var recoverySentAt: Timestamp?
    /// An address that awaits its confirmation.
    var newEmail: String?
    var emailChangeSentAt: Timestamp?
    var updatedAt: Timestamp
    var details = Details()

    init(emailIdentity: Identity? = nil, metadata: [JSON.Member], at now: Timestamp) {
        self.emailIdentity = emailIdentity
        self.metadata = metadata.sortedByName()
        updatedAt = now
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        metadata = json.members("metadata")
        emailIdentity = Self.storedIdentity(json["identity"], of: account, metadata)
        appMetadata = json.members("appMetadata")
        role = json["role"]?.string ?? Self.defaultRole
        confirmationSentAt = json.timestamp("confirmationSentAt")
        recoverySentAt = json.timestamp("recoverySentAt")
        newEmail = json["newEmail"]?.string
        emailChangeSentAt = json.timestamp("emailChangeSentAt")
        updatedAt = json.timestamp("updatedAt") ?? account.createdAt
        details = Details(json["details"])
    }

    /// The data as stored in `profile`.
    var jsonText: String {
        let json: JSON = [
            "identity": emailIdentity?.stored ?? .null, "metadata": .object(metadata),
            "appMetadata": .object(appMetadata), "role": .string(role),
            "confirmationSentAt": JSON(confirmationSentAt), "recoverySentAt": JSON(recoverySentAt),
            "newEmail": JSON(newEmail), "emailChangeSentAt": JSON(emailChangeSentAt),
            "updatedAt": .int(updatedAt.milliseconds), "details": details.json ?? .null,
        ]
        return json.description
    }

    /// Merges `data` by name. Null removes a name.
    mutating func merge(_ data: [JSON.Member]) { metadata = metadata.merging(data) }

    /// Merges what an administrator sets into the app's data by name. Null removes a name.
    mutating func mergeAppMetadata(_ data: [JSON.Member]) {
        appMetadata = appMetadata.merging(data)
    }

    /// Throws if the metadata is too large.
    static func checkSize(_ metadata: [JSON.Member]) throws(GoTrueFailure) {
        guard JSON.object(metadata).bytes.count <= maxByteCount else {
            throw .invalid("User metadata cannot be longer than \(maxByteCount) bytes")
        }
    }

    /// The maximum size in bytes of metadata, and of a row, as JSON. They are read and written as a
    /// unit, and every access token contains the metadata.
    static let maxByteCount = 16_384

    static let defaultRole = "authenticated"
}

extension [JSON.Member] {
    /// These members with those of `data`, sorted by name. Null removes a name.
    func merging(_ data: [JSON.Member]) -> [JSON.Member] {
        var values = Dictionary(map { ($0.name, $0.value) }) { $1 }
        for member in data {
            if member.value == .null {
                values.removeValue(forKey: member.name)
            } else {
                values[member.name] = member.value
            }
        }
        return values.map { .init($0.key, $0.value) }.sortedByName()
    }

    fileprivate func sortedByName() -> Self {
        sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Connection {
    func save(_ user: SocotoUser, of account: Account) throws {
        try setProfile(of: account.id, to: user.jsonText)
    }
}

extension JSON {
    fileprivate init(_ time: Timestamp?) { self = time.map { .int($0.milliseconds) } ?? .null }

    func timestamp(_ name: String) -> Timestamp? {
        self[name]?.int.map(Timestamp.init(milliseconds:))
    }

    fileprivate func members(_ name: String) -> [Member] {
        if case .object(let members)? = self[name] { members } else { [] }
    }
}

/// Account administration as in GoTrue's admin API.
extension SocotoContract {
    static let storesNames = true
    static let authenticatorKeys: AuthenticatorKeyFormat? = .base32

    static func passwordError(_ password: String) -> String? {
        do throws(GoTrueFailure) {
            try PasswordPolicy.standard.check(password)
            return nil
        } catch { return "is rejected: \(error.message)" }
    }

    static func makeProfile(of account: Account, displayName: String) -> String {
        var metadata: [JSON.Member] = [
            .init("full_name", .string(displayName)), .init("role", "user"),
        ]
        if account.emailVerifiedAt != nil { metadata.append(.init("email_verified", true)) }
        return SocotoUser(
            emailIdentity: .email(of: account, id: account.id, metadata, at: account.createdAt),
            metadata: metadata, at: account.createdAt
        ).jsonText
    }

    static func displayName(of account: Account) -> String? {
        SocotoUser(account).metadata.first { $0.name == "full_name" }?.value.string
    }

    static func verifyEmail(of account: Account, on connection: Connection, at now: Timestamp)
        throws
    { _ = try confirm(account, on: connection, at: now) }

    static func setPassword(
        to hash: String, of account: Account, on connection: Connection, at now: Timestamp
    ) throws {
        var user = SocotoUser(account)
        try connection.changePassword(hash: hash, of: account, &user, keepingSession: nil, at: now)
        try connection.save(user, of: account)
    }

    static let unsupportedActions: Set<AdminAction> = [.unverify]

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify: "The account can sign in. Sessions remain valid."
        case .unverify:
            "GoTrue cannot revert a confirmation: email_confirm false has no effect. Delete the "
                + "account and add it again."
        case .disable:
            "Bans the account permanently: sign-in, user and refresh return user_banned. "
                + "Sessions resume when the account is enabled; the table accepts its access "
                + "tokens until they expire."
        case .enable: "Lifts the ban; sessions resume."
        case .lock:
            "Bans the account until then (banned_until): sign-in, user and refresh return "
                + "user_banned. Sessions resume afterwards."
        case .unlock: "Lifts the ban; sessions resume."
        case .setPassword:
            "Ends all its sessions and invalidates mailed links and codes. The table accepts its "
                + "access tokens until they expire."
        case .signOut:
            "Ends all its sessions: refresh tokens and the user's own requests are rejected. The "
                + "table accepts its access tokens until they expire."
        case .delete:
            "Deletes the account with its sessions, links and row; its tokens become invalid."
        }
    }
}
