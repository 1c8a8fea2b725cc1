import Core
import Crypto
import Email
package import FoundationEssentials
import SQLite
import Web

/// Mail that a real backend sends by SMTP.
extension Mailbox {
    /// The sources that a workspace retains, in bytes; the oldest are deleted first, with their
    /// mails.
    static let maxSourceBytes = 64 << 20
    /// The text and the HTML that are stored besides the source, in bytes each.
    private static let maxBodyBytes = 1 << 20

    /// Stores a message for each recipient, with what it is recognized to be for. Returns the ids.
    package func receive(
        _ source: [UInt8], from sender: String, to recipients: [String], app: String?,
        workspace: String, at now: Date
    ) async throws -> [String] {
        let message = MIMEMessage(source)
        let text = String(decoding: message.text.utf8.prefix(Self.maxBodyBytes), as: UTF8.self)
        let html = String(decoding: message.html.utf8.prefix(Self.maxBodyBytes), as: UTF8.self)
        // Characters that turn the direction would turn the texts around the subject, too.
        let subject =
            String(
                message.header("subject")?.unicodeScalars.filter {
                    !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value)
                } ?? "".unicodeScalars
            ).nonEmpty ?? "(no subject)"
        let recognition = MailRecognition(subject: subject, text: text, html: html)
        let shared = Mail(
            id: "", sequence: 0, workspace: workspace, app: app ?? "", to: "", subject: subject,
            purpose: recognition.purpose, code: recognition.code, link: recognition.link,
            sentAt: now, text: text, html: html, headers: message.headers,
            sender: Self.senderAddress(message, envelope: sender), isReceived: true,
            attachments: message.attachments.map {
                Mail.Attachment(name: $0.name, mediaType: $0.mediaType, size: $0.bytes.count)
            })
        let sealedContent = try sealer.seal(shared.sealableContent)
        let sealedSource = try sealer.seal(Data(source).base64EncodedString())
        var addresses: [String] = []
        for recipient in recipients.map(MailFilter.normalized) where !addresses.contains(recipient)
        {
            addresses.append(recipient)
        }
        let mails = addresses.map { address in
            var mail = shared
            mail.id = world.makeID("mail")
            mail.to = address
            return mail
        }
        let sequences = try await database.write { connection in
            let sequences = try mails.map { mail in
                let sequence = try connection.insert(
                    mail, Realm(workspace: workspace, contract: mail.app), sealedContent)
                try connection.run(
                    "INSERT INTO mail_sources VALUES (?, ?, ?)",
                    [.text(mail.id), .integer(source.count), .text(sealedSource)])
                try connection.recordMailRequest(
                    to: mail.to, for: mail.purpose, .sent,
                    in: Realm(workspace: workspace, contract: mail.app), at: Timestamp(now))
                return sequence
            }
            try connection.pruneSources(of: workspace, maxBytes: Self.maxSourceBytes)
            return sequences
        }
        for (var mail, sequence) in zip(mails, sequences) {
            mail.sequence = sequence
            publishReceived(mail)
        }
        return mails.map(\.id)
    }

    /// The address in `From`, or that of the envelope.
    private static func senderAddress(_ message: MIMEMessage, envelope: String) -> String {
        let from = message.header("from") ?? ""
        guard let start = from.lastIndex(of: "<"), let end = from[start...].firstIndex(of: ">")
        else { return from.contains("@") ? from.whitespaceCollapsed : envelope }
        return String(from[from.index(after: start)..<end])
    }
}

extension Mail {
    /// The subject without the code in it, for what is not sealed: lists of events, the search.
    var maskedSubject: String {
        code.map { subject.replacing($0, with: String(repeating: "•", count: $0.count)) } ?? subject
    }
}

extension Connection {
    /// Deletes the oldest received mails of a workspace whose sources exceed `maxBytes` in total.
    fileprivate func pruneSources(of workspace: String, maxBytes: Int) throws {
        try run(
            """
            DELETE FROM mails WHERE id IN (
                SELECT id FROM (
                    SELECT id, sum(bytes) OVER (ORDER BY sequence DESC) AS total
                    FROM mails JOIN mail_sources ON mail_sources.mail = mails.id
                    WHERE workspace = ?)
                WHERE total > ?)
            """, [.text(workspace), .integer(maxBytes)])
    }
}
