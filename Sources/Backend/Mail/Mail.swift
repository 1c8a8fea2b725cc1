import Crypto
package import FoundationEssentials
import SQLite
import Web

/// A caught mail.
package struct Mail: Sendable, Equatable {
    package var id: String
    package var sequence: Int64
    package var workspace: String
    /// The contract that sent it.
    package var app: String
    package var to: String
    package var subject: String
    /// `verify`, `reset`, `login` …
    package var purpose: String
    package var code: String?
    package var link: String?
    package var expiresAt: Date?
    package var usedAt: Date?
    package var sentAt: Date
    package var text: String
    package var html: String
    /// Header fields as sent, in order.
    package var headers: [(name: String, value: String)]

    package static func == (lhs: Mail, rhs: Mail) -> Bool {
        lhs.id == rhs.id && lhs.usedAt == rhs.usedAt
    }
}

/// A mail to be sent.
package struct MailDraft: Sendable {
    let id: String
    package let realm: Realm
    /// Normalized.
    package let to: String
    /// The purpose as shown in the mailbox.
    package let purpose: String
    let subject: String
    var code: String?
    var link: String?
    let expiresAt: Timestamp?
    package let sentAt: Timestamp
    let text: String
    let html: String
    let headers: [(name: String, value: String)]

    /// The content to seal: everything that gives access to an account.
    var sealableContent: String {
        let content: JSON = [
            "code": JSON(code), "link": JSON(link), "text": .string(text), "html": .string(html),
            "headers": .array(headers.map { [.string($0.name), .string($0.value)] }),
        ]
        return content.description
    }

    /// The sent mail with its sequence.
    func mail(_ sequence: Int64) -> Mail {
        Mail(
            id: id, sequence: sequence, workspace: realm.workspace, app: realm.contract, to: to,
            subject: subject, purpose: purpose, code: code, link: link, expiresAt: expiresAt?.date,
            usedAt: nil, sentAt: sentAt.date, text: text, html: html, headers: headers)
    }
}

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
