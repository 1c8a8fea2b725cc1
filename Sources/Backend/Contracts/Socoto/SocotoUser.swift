import FoundationEssentials
import SQLite
import Web

/// What the auth server keeps of an account besides what every contract
/// keeps: it stands in the account's `profile`.
struct SocotoUser: Sendable, Equatable {
    /// The id of the account's one identity, its e-mail.
    var identityID: String
    /// What the person said of themselves; sorted, as the server's maps are.
    var metadata: [JSON.Member]
    var confirmationSentAt: Timestamp?
    var recoverySentAt: Timestamp?
    /// An address that waits for its confirmation.
    var newEmail: String?
    var emailChangeSentAt: Timestamp?
    var updatedAt: Timestamp
    /// The row of the table `profiles`, nil once it was deleted.
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

    /// As `profile` keeps it.
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

    /// Takes `data` over name by name; null takes a name away.
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

    /// Refuses more metadata than there is room for.
    static func checkSize(_ metadata: [JSON.Member]) throws(SocotoAuthFailure) {
        guard JSON.object(metadata).bytes.count <= maxByteCount else {
            throw .invalid("User metadata cannot be longer than \(maxByteCount) bytes")
        }
    }

    /// Bytes of JSON that metadata, and a row, may have: they are read and
    /// written whole, and every access token holds the metadata.
    static let maxByteCount = 16_384

    private mutating func sortMetadata() {
        metadata.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Connection {
    func save(_ person: SocotoUser, of account: Account) throws {
        try setProfile(of: account.id, to: person.jsonText)
    }
}

extension JSON {
    fileprivate init(_ moment: Timestamp?) { self = moment.map { .int($0.milliseconds) } ?? .null }

    fileprivate func timestamp(_ name: String) -> Timestamp? {
        self[name]?.int.map(Timestamp.init(milliseconds:))
    }
}
