import Backend
import FoundationEssentials
import SQLite
import Web

/// The auth server's account data, stored in the account's `profile`.
struct SocotoUser: Sendable, Equatable {
    /// The id of the account's one identity, its e-mail.
    var identityID: String
    /// Chosen by the user. Sorted by name, as the server's maps are.
    var metadata: [JSON.Member]
    var confirmationSentAt: Timestamp?
    var recoverySentAt: Timestamp?
    /// An address that awaits its confirmation.
    var newEmail: String?
    var emailChangeSentAt: Timestamp?
    var updatedAt: Timestamp
    /// The row of the table `profiles`. Nil once it is deleted.
    var row: ProfileRow?

    init(identityID: String, metadata: [JSON.Member], at now: Timestamp) {
        self.identityID = identityID
        self.metadata = metadata
        updatedAt = now
        sortMetadata()
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        identityID = json["identity"]?.string ?? account.id
        if case .object(let members)? = json["metadata"] {
            metadata = members
        } else {
            metadata = []
        }
        confirmationSentAt = json.timestamp("confirmationSentAt")
        recoverySentAt = json.timestamp("recoverySentAt")
        newEmail = json["newEmail"]?.string
        emailChangeSentAt = json.timestamp("emailChangeSentAt")
        updatedAt = json.timestamp("updatedAt") ?? account.createdAt
        row = json["row"].flatMap(ProfileRow.init)
    }

    /// The data as stored in `profile`.
    var jsonText: String {
        let json: JSON = [
            "identity": .string(identityID), "metadata": .object(metadata),
            "confirmationSentAt": JSON(confirmationSentAt), "recoverySentAt": JSON(recoverySentAt),
            "newEmail": JSON(newEmail), "emailChangeSentAt": JSON(emailChangeSentAt),
            "updatedAt": .int(updatedAt.milliseconds), "row": row?.json ?? .null,
        ]
        return json.description
    }

    /// Merges `data` by name. Null removes a name.
    mutating func merge(_ data: [JSON.Member]) {
        var values = Dictionary(metadata.map { ($0.name, $0.value) }) { $1 }
        for member in data {
            if member.value == .null {
                values.removeValue(forKey: member.name)
            } else {
                values[member.name] = member.value
            }
        }
        metadata = values.map { .init($0.key, $0.value) }
        sortMetadata()
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

    private mutating func sortMetadata() {
        metadata.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Connection {
    func save(_ user: SocotoUser, of account: Account) throws {
        try setProfile(of: account.id, to: user.jsonText)
    }
}

extension JSON {
    fileprivate init(_ time: Timestamp?) { self = time.map { .int($0.milliseconds) } ?? .null }

    fileprivate func timestamp(_ name: String) -> Timestamp? {
        self[name]?.int.map(Timestamp.init(milliseconds:))
    }
}

extension SocotoUser {
    /// The server's User object. Absent times are left out, never empty.
    func userObject(_ account: Account) -> JSON {
        func time(_ timestamp: Timestamp?) -> JSON? { (timestamp?.date.iso8601).map(JSON.string) }
        // A ban always has an end there. An indefinite one lasts a hundred years.
        let bannedUntil = account.disabledAt.map { $0 + .seconds(3_153_600_000) }
        return .omittingNil([
            "id": .string(account.id), "aud": "authenticated", "role": "authenticated",
            "email": .string(account.email ?? ""),
            "email_confirmed_at": time(account.emailVerifiedAt), "phone": "",
            "confirmation_sent_at": time(confirmationSentAt),
            "confirmed_at": time(account.emailVerifiedAt), "recovery_sent_at": time(recoverySentAt),
            "new_email": newEmail.map(JSON.string), "email_change_sent_at": time(emailChangeSentAt),
            "last_sign_in_at": time(account.lastLoginAt), "app_metadata": Self.appMetadata,
            "user_metadata": .object(metadata), "identities": [identityObject(account)],
            "created_at": time(account.createdAt), "updated_at": time(updatedAt),
            "banned_until": time(bannedUntil ?? account.lockedUntil), "is_anonymous": false,
        ])
    }

    /// The response to a sign-up with a confirmed address: a made-up user, so that it reveals
    /// nothing.
    static func decoyUserObject(
        id: String, email: String, metadata: [JSON.Member], at now: Timestamp
    ) -> JSON {
        let user = SocotoUser(identityID: id, metadata: metadata, at: now)
        let time: JSON = .string(now.date.iso8601)
        return [
            "id": .string(id), "aud": "authenticated", "role": "", "email": .string(email),
            "phone": "", "confirmation_sent_at": time, "app_metadata": appMetadata,
            "user_metadata": .object(user.metadata), "identities": [], "created_at": time,
            "updated_at": time, "is_anonymous": false,
        ]
    }

    static let appMetadata: JSON = ["provider": "email", "providers": ["email"]]

    private func identityObject(_ account: Account) -> JSON {
        let email = JSON.string(account.email ?? "")
        var data = SocotoUser(identityID: identityID, metadata: metadata, at: updatedAt)
        data.merge([
            .init("email", email), .init("email_verified", .bool(account.emailVerifiedAt != nil)),
            .init("phone_verified", false), .init("sub", .string(account.id)),
        ])
        let createdAt: JSON = .string(account.createdAt.date.iso8601)
        return [
            "identity_id": .string(identityID), "id": .string(account.id),
            "user_id": .string(account.id), "identity_data": .object(data.metadata),
            "provider": "email", "last_sign_in_at": createdAt, "created_at": createdAt,
            "updated_at": createdAt, "email": email,
        ]
    }
}

/// How a user signed in, as stored in a session's `contractData`.
struct SignInRecord: Sendable, Equatable {
    let method: Method
    let signedInAt: Timestamp

    /// The raw value is the method's name in the `amr` claim.
    enum Method: String, Sendable {
        case password, otp, recovery
        case signup = "email/signup"
        case emailChange = "email_change"
    }

    init(_ method: Method, at now: Timestamp) {
        self.method = method
        signedInAt = now
    }

    init?(_ session: BackendSession) {
        guard let json = try? JSON(parsing: session.contractData),
            let method = json["method"]?.string.flatMap(Method.init), let time = json["at"]?.int
        else { return nil }
        self.method = method
        signedInAt = Timestamp(milliseconds: time)
    }

    var contractData: String {
        let json: JSON = ["method": .string(method.rawValue), "at": .int(signedInAt.milliseconds)]
        return json.description
    }

    var amrClaim: JSON {
        [["method": .string(method.rawValue), "timestamp": .int(signedInAt.seconds)]]
    }
}

/// Account administration as in GoTrue's admin API.
extension SocotoContract {
    static let storesNames = true

    static func passwordError(_ password: String) -> String? {
        do throws(GoTrueFailure) {
            try PasswordPolicy.check(password)
            return nil
        } catch { return "is rejected: \(error.message)" }
    }

    static func makeProfile(of account: Account, displayName: String) -> String {
        var metadata: [JSON.Member] = [
            .init("full_name", .string(displayName)), .init("role", "user"),
        ]
        if account.emailVerifiedAt != nil { metadata.append(.init("email_verified", true)) }
        var user = SocotoUser(identityID: account.id, metadata: metadata, at: account.createdAt)
        user.row = ProfileRow(of: account, user.metadata)
        return user.jsonText
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
