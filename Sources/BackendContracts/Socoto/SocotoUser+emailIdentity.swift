import Backend
import Web

extension SocotoUser {
    /// The identity that a profile stores. Older profiles store its id alone, and the oldest none,
    /// because every account had one.
    static func storedIdentity(
        _ json: JSON?, of account: Account, _ metadata: [JSON.Member]
    ) -> Identity? {
        switch json {
        case .null: nil
        case .object?: json.flatMap { Identity(stored: $0, subject: account.id) }
        default:
            account.email.map { _ in
                .email(
                    of: account, id: json?.string ?? account.id, metadata, at: account.createdAt)
            }
        }
    }

    /// Gives the account an identity for its address, or changes the one it has.
    mutating func changeIdentity(
        ofEmail email: String, isVerified: Bool, of account: Account, newID: String,
        at now: Timestamp
    ) {
        emailIdentity = emailIdentity ?? .email(of: account, id: newID, [], at: now)
        emailIdentity?.setEmail(email, isVerified: isVerified, at: now)
    }
}

extension Identity {
    /// The identity of an account's address, with the data of the sign-up.
    static func email(
        of account: Account, id: String, _ data: [JSON.Member], at now: Timestamp
    ) -> Identity {
        let members = data.merging([
            .init("email", .string(account.email ?? "")),
            .init("email_verified", .bool(account.emailVerifiedAt != nil)),
            .init("phone_verified", false), .init("sub", .string(account.id)),
        ])
        return Identity(
            id: id, provider: "email", subject: account.id,
            data: JSON.object(members).description, createdAt: now, lastSignInAt: now)
    }

    fileprivate init?(stored json: JSON, subject: String) {
        guard let id = json["id"]?.string, let data = json["data"],
            let createdAt = json.timestamp("createdAt")
        else { return nil }
        self.init(
            id: id, provider: "email", subject: subject, data: data.description,
            createdAt: createdAt, lastSignInAt: json.timestamp("lastSignInAt"))
        updatedAt = json.timestamp("updatedAt") ?? createdAt
    }

    /// The form in which a profile stores it.
    var stored: JSON {
        .omittingNil([
            "id": .string(id), "data": (try? JSON(parsing: data)) ?? .object([]),
            "createdAt": .int(createdAt.milliseconds), "updatedAt": .int(updatedAt.milliseconds),
            "lastSignInAt": (lastSignInAt?.milliseconds).map(JSON.int),
        ])
    }

    /// Merges `members` into its data.
    mutating func mergeData(_ members: [JSON.Member]) {
        guard case .object(let current)? = try? JSON(parsing: data) else { return }
        data = JSON.object(current.merging(members)).description
    }

    mutating func setEmail(_ email: String, isVerified: Bool, at now: Timestamp) {
        mergeData([
            .init("email", .string(email)), .init("email_verified", .bool(isVerified)),
        ])
        updatedAt = now
    }
}
