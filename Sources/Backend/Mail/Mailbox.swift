package import Core
import Crypto
import Email
package import FoundationEssentials
import SQLite
import Web

/// The mail caught from the embedded backend, per workspace.
///
/// A workspace retains its newest 5,000. The content is sealed at rest, because its links give
/// access to accounts.
package struct Mailbox: Sendable {
    let database: Database
    let sealer: Sealer
    let world: World
    let hub: EventHub
    let waiters = Waiters<Mail>()
    /// Opened contents by their sealed text: lists and waiting clients read the newest mails again
    /// and again.
    private let contents = SharedCache<String, JSON>(capacity: 64)

    /// Newest first; `to` matches the full address, case-insensitively, and `text` the beginnings
    /// of words in recipient, sender, subject and text, addresses and symbols.
    package func list(
        workspace: String, to: String? = nil, app: String? = nil, purpose: String? = nil,
        channel: Mail.Channel? = nil, text: String? = nil, at keyset: Keyset = Keyset()
    ) async throws -> KeysetPage<Mail> {
        var filter = MailFilter(
            workspace: workspace, to: to, app: app, purpose: purpose, channel: channel)
        try await add(text, to: &filter)
        let conditions = filter.conditions
        return try await database.read { connection in
            try connection.page(keyset, by: "sequence", "*", from: "mails", where: conditions) {
                try mail($0)
            }
        }
    }

    /// Reads all columns of `mails`. Throws a `CryptoError` of kind `wrongKey` if another key than
    /// the sealer's sealed the content.
    func mail(_ row: Row) throws -> Mail {
        let content = try contents.value(for: row.text(10)) {
            try JSONReader.read(Array(try sealer.open(row.text(10)).utf8))
        }
        return Mail(row, content)
    }

    /// The number of mails a workspace stores.
    package func count(workspace: String) async throws -> Int {
        try await database.read { connection in
            try connection.count(
                "SELECT count(*) FROM mails WHERE workspace = ?", [.text(workspace)])
        }
    }

    /// The numbers of stored messages by channel; those without one are absent.
    package func counts(workspace: String) async throws -> [Mail.Channel: Int] {
        let counts = try await database.read { connection in
            try connection.rows(
                "SELECT channel, count(*) FROM mails WHERE workspace = ? GROUP BY channel",
                [.text(workspace)]
            ) { row in Mail.Channel(rawValue: row.text(0)).map { ($0, Int(row.integer(1))) } }
        }
        return Dictionary(uniqueKeysWithValues: counts.compactMap(\.self))
    }

    /// The number of unread mails.
    package func unreadCount(workspace: String) async throws -> Int {
        try await database.read { connection in
            try connection.count(
                "SELECT count(*) FROM mails WHERE workspace = ? AND read_at IS NULL",
                [.text(workspace)])
        }
    }

    /// Marks a mail, or all of a workspace, as read or unread. True if that changed any.
    @discardableResult package func mark(
        _ id: String? = nil, read isRead: Bool, workspace: String, at now: Date
    ) async throws -> Bool {
        let conditions: Conditions = ["workspace = ?": .text(workspace), "id = ?": .text(id)]
        let readAt = Value.timestamp(isRead ? Timestamp(now) : nil)
        let change: StaticSQL = isRead ? "read_at IS NULL" : "read_at IS NOT NULL"
        let isChanged = try await database.write { connection in
            try connection.run(
                "UPDATE mails SET read_at = ? WHERE \(conditions.sql) AND \(change)",
                [readAt] + conditions.values)
            return connection.changedRowCount > 0
        }
        if isChanged {
            let subject = id == nil ? "All mail" : "Mail"
            publish(.mailChanged, id, "\(subject) \(isRead ? "read" : "unread")", workspace)
        }
        return isChanged
    }

    /// Deletes one mail; its link or code remains valid. False if this workspace has none of that
    /// id.
    package func delete(_ id: String, workspace: String) async throws -> Bool {
        let isDeleted = try await database.write { connection in
            try connection.run(
                "DELETE FROM mails WHERE id = ? AND workspace = ?", [.text(id), .text(workspace)])
            return connection.changedRowCount > 0
        }
        if isDeleted { publish(.mailDeleted, id, "Mail deleted", workspace) }
        return isDeleted
    }

    /// The mail as an Internet message: as received, or, of an embedded contract's mail, written
    /// from its parts.
    package func source(of mail: Mail) async throws -> [UInt8] {
        let sealed = try await database.read { connection in
            try connection.text("SELECT sealed FROM mail_sources WHERE mail = ?", [.text(mail.id)])
        }
        guard let sealed, let data = Data(base64Encoded: try sealer.open(sealed)) else {
            return MessageWriter.message(headers: mail.headers, text: mail.text, html: mail.html)
        }
        return Array(data)
    }

    /// The mail's HTML; images of the message itself are part of it.
    package func html(of mail: Mail) async throws -> String {
        guard mail.isReceived, mail.html.contains("cid:") else { return mail.html }
        let message = MIMEMessage(try await source(of: mail))
        return message.attachments.filter { $0.mediaType.hasPrefix("image/") }
            .reduce(mail.html) { html, image in
                guard let id = image.contentID?.nonEmpty else { return html }
                let data = Data(image.bytes).base64EncodedString()
                return html.replacing("cid:" + id, with: "data:\(image.mediaType);base64,\(data)")
            }
    }

    /// The bytes of a file by its position in `attachments`; nil for none.
    package func attachment(_ index: Int, of mail: Mail) async throws -> [UInt8]? {
        guard mail.attachments.indices.contains(index) else { return nil }
        let attachments = MIMEMessage(try await source(of: mail)).attachments
        return attachments.indices.contains(index) ? attachments[index].bytes : nil
    }

    private func publish(_ kind: Event.Kind, _ id: String?, _ title: String, _ workspace: String) {
        hub.publish(Event(workspace: workspace, kind: kind, subject: id, title: title))
    }

    /// One mail; nil if this workspace has none of that id.
    package func mail(_ id: String, workspace: String) async throws -> Mail? {
        try await database.read { connection in
            try connection.row(
                "SELECT * FROM mails WHERE id = ? AND workspace = ?", [.text(id), .text(workspace)]
            ) { try mail($0) }
        }
    }

    /// Deletes all mails of a workspace. Returns how many there were.
    package func clear(workspace: String) async throws -> Int {
        let count = try await database.write { connection in
            try connection.run("DELETE FROM mails WHERE workspace = ?", [.text(workspace)])
            return connection.changedRowCount
        }
        hub.publish(
            Event(
                workspace: workspace, kind: .mailboxCleared, title: "Mailbox cleared",
                details: ["count": String(count)]))
        return count
    }

    /// Waits, without polling, for a mail to `to` sent at or after `since`; nil at the timeout.
    ///
    /// Without `since`, a stored mail matches too; the newest of several.
    package func waitForMail(
        workspace: String, to: String?, app: String? = nil, purpose: String?,
        channel: Mail.Channel? = nil, since: Date?, timeout: Duration
    ) async throws -> Mail? {
        let filter = MailFilter(
            workspace: workspace, to: to, app: app, purpose: purpose, channel: channel,
            since: since.map(Timestamp.init))
        // Subscribe before querying, so that no mail is missed in between.
        let incoming = waiters.values(where: filter.matches)
        if let mail = try await newestMail(filter) { return mail }
        return try await world.first(of: incoming, within: timeout)
    }

    func newestMail(_ filter: MailFilter) async throws -> Mail? {
        let conditions = filter.conditions
        return try await database.read { connection in
            try connection.row(
                "SELECT * FROM mails WHERE \(conditions.sql) ORDER BY sequence DESC LIMIT 1",
                conditions.values
            ) { try mail($0) }
        }
    }
}

extension Mailbox {
    /// The sequence of a mail that an injected fault dropped.
    static let lostSequence: Int64 = 0

    /// Publishes a mail that was committed at `sequence`; has no effect if none was stored.
    package func publishSent(_ outgoing: OutgoingMail, at sequence: Int64?) {
        guard let sequence, sequence != Self.lostSequence else { return }
        var mail = outgoing.mail
        mail.sequence = sequence
        publishReceived(mail)
    }

    func publishReceived(_ mail: Mail) {
        let subject = mail.maskedSubject
        hub.publish(
            Event(
                workspace: mail.workspace, kind: .mailReceived, app: mail.app.nonEmpty,
                subject: mail.id, title: "\(mail.channel.title) to \(mail.to): \(subject)",
                details: eventDetails(to: mail.to, purpose: mail.purpose, subject: subject)))
        waiters.notify(of: mail)
    }

    /// Includes the id of the current request, which leads to the recorded exchange.
    func eventDetails(to address: String, purpose: String, subject: String? = nil) -> [String:
        String]
    {
        var details = ["to": address, "purpose": purpose]
        details["subject"] = subject
        details["request"] = CheckTrace.current?.requestID
        return details
    }
}
