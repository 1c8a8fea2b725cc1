import Web

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
            "code": JSON(code), "link": JSON(link), "text": .string(text),
            "html": .string(html),
            "headers": .array(
                headers.map { [.string($0.name), .string($0.value)] }),
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
