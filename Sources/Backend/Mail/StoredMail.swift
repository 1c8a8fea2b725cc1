import Crypto
import SQLite
import Web

/// A mail as stored in the database, with its content still sealed.
struct StoredMail: Sendable {
    let sequence: Int64
    let id: String
    let realm: Realm
    let to: String
    let purpose: String
    let subject: String
    let expiresAt: Timestamp?
    let usedAt: Timestamp?
    let sentAt: Timestamp
    let sealed: String

    /// Reads all columns of `mails`.
    init(_ row: Row) {
        sequence = row.integer(0)
        id = row.text(1)
        realm = Realm(workspace: row.text(2), contract: row.text(3))
        to = row.text(4)
        purpose = row.text(5)
        subject = row.text(6)
        expiresAt = row.optionalTimestamp(7)
        usedAt = row.optionalTimestamp(8)
        sentAt = row.timestamp(9)
        sealed = row.text(10)
    }

    /// Throws a `CryptoError` of kind `wrongKey` if another key sealed it.
    func unsealed(_ sealer: Sealer) throws -> Mail {
        let content = try JSONReader.read(Array(try sealer.open(sealed).utf8))
        var headers: [(name: String, value: String)] = []
        if case .array(let fields)? = content["headers"] {
            for field in fields { headers.append((field[0]?.string ?? "", field[1]?.string ?? "")) }
        }
        return Mail(
            id: id, sequence: sequence, workspace: realm.workspace, app: realm.contract, to: to,
            subject: subject, purpose: purpose, code: content["code"]?.string,
            link: content["link"]?.string, expiresAt: expiresAt?.date, usedAt: usedAt?.date,
            sentAt: sentAt.date, text: content["text"]?.string ?? "",
            html: content["html"]?.string ?? "", headers: headers)
    }
}
