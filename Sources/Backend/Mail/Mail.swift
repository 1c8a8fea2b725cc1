import Core
import Crypto
package import FoundationEssentials
import SQLite
import Web

/// A caught mail or text message.
package struct Mail: Sendable, Equatable {
    package var id: String
    package var sequence: Int64
    package var workspace: String
    /// The contract that sent it; the app of a received mail, or empty.
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
    /// The sender's address, without a name.
    package var sender = ""
    /// When it was first opened, or its link or code used; nil for an unread mail.
    package var readAt: Date?
    /// Whether a real backend sent it by SMTP: nothing is known of its link's use and expiry.
    package var isReceived = false
    package var attachments: [Attachment] = []
    package var channel = Channel.mail

    /// How a message is delivered.
    package enum Channel: String, Sendable, CaseIterable {
        case mail
        case textMessage

        var title: String { self == .mail ? "Mail" : "Text message" }
    }

    /// What is known of a file without reading the source.
    package struct Attachment: Sendable, Equatable {
        package let name: String
        package let mediaType: String
        package let size: Int
    }

    package static func == (lhs: Mail, rhs: Mail) -> Bool {
        lhs.id == rhs.id && lhs.usedAt == rhs.usedAt && lhs.readAt == rhs.readAt
    }
}

extension Mail {
    /// The content to seal: everything that gives access to an account.
    var sealableContent: String {
        let content: JSON = [
            "code": JSON(code), "link": JSON(link), "text": .string(text), "html": .string(html),
            "headers": .array(headers.map { [.string($0.name), .string($0.value)] }),
            "subject": .string(subject), "isReceived": .bool(isReceived),
            "attachments": .array(
                attachments.map {
                    [.string($0.name), .string($0.mediaType), .int(Int64($0.size))]
                }),
        ]
        return content.description
    }

    /// A row of `mails` with its opened content.
    init(_ row: Row, _ content: JSON) {
        func list(_ name: String) -> [JSON] {
            if case .array(let items)? = content[name] { items } else { [] }
        }
        self.init(
            id: row.text(1), sequence: row.integer(0), workspace: row.text(2), app: row.text(3),
            to: row.text(4), subject: content["subject"]?.string ?? row.text(6),
            purpose: row.text(5),
            code: content["code"]?.string, link: content["link"]?.string,
            expiresAt: row.optionalTimestamp(7)?.date, usedAt: row.optionalTimestamp(8)?.date,
            sentAt: row.timestamp(9).date, text: content["text"]?.string ?? "",
            html: content["html"]?.string ?? "",
            headers: list("headers").map { ($0[0]?.string ?? "", $0[1]?.string ?? "") },
            sender: row.text(11), readAt: row.optionalTimestamp(12)?.date,
            isReceived: content["isReceived"]?.bool ?? false,
            attachments: list("attachments").map {
                Attachment(
                    name: $0[0]?.string ?? "", mediaType: $0[1]?.string ?? "",
                    size: $0[2]?.int.map(Int.init) ?? 0)
            }, channel: Channel(rawValue: row.text(13)) ?? .mail)
    }
}

/// Selects mails of a workspace.
struct MailFilter: Sendable {
    var workspace: String
    /// The full address in any spelling.
    var to: String?
    var app: String?
    var purpose: String?
    var channel: Mail.Channel?
    var since: Timestamp?
    /// An FTS5 query for `mail_words`.
    var match: String?
    /// Symbols in subject or text, which are no words.
    var symbols: [String] = []

    var conditions: Conditions {
        var conditions: Conditions = [
            "workspace = ?": .text(workspace), "recipient = ?": .text(to.map(Self.normalized)),
            "contract = ?": .text(app), "purpose = ?": .text(purpose),
            "channel = ?": .text(channel?.rawValue),
            "sent_at >= ?": since?.sqlValue ?? .null,
            "sequence IN (SELECT rowid FROM mail_words WHERE mail_words MATCH ?)": .text(match),
        ]
        for symbol in symbols {
            conditions.add(
                "sequence IN (SELECT rowid FROM mail_words WHERE instr(subject || text, ?))",
                .text(symbol))
        }
        return conditions
    }

    func matches(_ mail: Mail) -> Bool {
        mail.workspace == workspace && to.map { Self.normalized($0) == mail.to } ?? true
            && app.map { $0 == mail.app } ?? true && purpose.map { $0 == mail.purpose } ?? true
            && channel.map { $0 == mail.channel } ?? true
            && since.map { $0 <= Timestamp(mail.sentAt) } ?? true
    }

    /// The address as stored for recipients; text that is no address matches nothing.
    static func normalized(_ address: String) -> String {
        EmailAddress(address)?.text ?? address.lowercased()
    }
}

/// A mail to be sent, with the challenge of its link or code.
package struct OutgoingMail: Sendable {
    /// It has no sequence yet.
    let mail: Mail
    /// Sealed before a transaction begins, because all tasks share the database's one writer.
    let sealedContent: String
    package let challenge: Challenge
    let faultTicket = FaultTicket.current
}

extension Mailbox {
    /// Publishes that a mail's link or code was used.
    package func publishUsed(of challenge: Challenge) {
        guard let mailID = challenge.mailID else { return }
        hub.publish(
            Event(
                workspace: challenge.realm.workspace, kind: .mailUsed,
                app: challenge.realm.contract, subject: mailID,
                title: "Mail to \(challenge.email) opened",
                details: eventDetails(to: challenge.email, purpose: challenge.purpose.mailPurpose)))
    }
}

/// Six-digit one-time codes for mails.
///
/// There are only a million, so a keyed digest is stored: with the table alone a code cannot be
/// found by trying all. The digest covers address, purpose, realm and the contract's dialect, if it
/// has several, so a code sent for one purpose is not valid for another.
extension Keyring {
    /// Six random digits, uniformly distributed.
    package func makeCode() -> String {
        while true {
            let number = world.randomBytes(4).reduce(UInt32(0)) { number, byte in
                number << 8 | UInt32(byte)
            }
            // The largest multiple of a million; values above it would make small codes likelier.
            guard number < 4_294_000_000 else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }
    }

    /// The digest by which a code is looked up; `email` is normalized.
    package func digest(
        ofCode code: String, to email: String, for purpose: Challenge.Purpose, in realm: Realm,
        dialect: String = ""
    ) throws -> String {
        let parts: JSON = [
            "code": .string(code), "email": .string(email), "purpose": .string(purpose.rawValue),
            "workspace": .string(realm.workspace), "contract": .string(realm.contract),
            "dialect": .string(dialect),
        ]
        return try digest(parts.description)
    }
}
