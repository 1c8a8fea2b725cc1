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
    var row: SocotoProfileRow?

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
        row = json["row"].flatMap(SocotoProfileRow.init)
    }

    /// The data as stored in `profile`.
    var jsonText: String {
        let json: JSON = [
            "identity": .string(identityID),
            "metadata": .object(metadata),
            "confirmationSentAt": JSON(confirmationSentAt),
            "recoverySentAt": JSON(recoverySentAt),
            "newEmail": JSON(newEmail),
            "emailChangeSentAt": JSON(emailChangeSentAt),
            "updatedAt": .int(updatedAt.milliseconds),
            "row": row?.json ?? .null,
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
    static func checkSize(_ metadata: [JSON.Member]) throws(SocotoAuthFailure) {
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
