import FoundationEssentials
import SQLite
import Web

/// What the auth server keeps of an account besides what every contract
/// keeps: it stands in the account's `profile`.
struct SocotoPerson: Sendable, Equatable {
    /// The id of the account's one identity, its e-mail.
    var identity: String
    /// What the person said of themselves; sorted, as the server's maps are.
    var metadata: [JSON.Member]
    var confirmationSentAt: Moment?
    var recoverySentAt: Moment?
    /// An address that waits for its confirmation.
    var newEmail: String?
    var emailChangeSentAt: Moment?
    var updatedAt: Moment
    /// The row of the table `profiles`, nil once it was deleted.
    var row: SocotoRow?

    init(identity: String, metadata: [JSON.Member], at now: Moment) {
        self.identity = identity
        self.metadata = metadata
        updatedAt = now
        sort()
    }

    init(_ account: Account) {
        let json = (try? JSON(parsing: account.profile)) ?? .null
        identity = json["identity"]?.string ?? account.id
        if case .object(let members)? = json["metadata"] {
            metadata = members
        } else {
            metadata = []
        }
        confirmationSentAt = json.moment("confirmationSentAt")
        recoverySentAt = json.moment("recoverySentAt")
        newEmail = json["newEmail"]?.string
        emailChangeSentAt = json.moment("emailChangeSentAt")
        updatedAt = json.moment("updatedAt") ?? account.createdAt
        row = json["row"].flatMap(SocotoRow.init)
    }

    /// As `profile` keeps it.
    var text: String {
        let json: JSON = [
            "identity": .string(identity),
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
        sort()
    }

    /// Refuses more metadata than there is room for.
    static func check(_ metadata: [JSON.Member]) throws(SocotoFailure) {
        guard JSON.object(metadata).bytes.count <= room else {
            throw .invalid("User metadata cannot be longer than \(room) bytes")
        }
    }

    /// Bytes of JSON that metadata, and a row, may have: they are read and
    /// written whole, and every access token holds the metadata.
    static let room = 16_384

    private mutating func sort() {
        metadata.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension Connection {
    func save(_ person: SocotoPerson, of account: Account) throws {
        try setProfile(of: account.id, to: person.text)
    }
}

extension JSON {
    fileprivate init(_ moment: Moment?) { self = moment.map { .int($0.milliseconds) } ?? .null }

    fileprivate func moment(_ name: String) -> Moment? {
        self[name]?.int.map(Moment.init(milliseconds:))
    }
}
