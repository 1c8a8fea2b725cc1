import Web

/// A mail about to be sent.
struct MailDraft: Sendable {
    let id: String
    let realm: Realm
    /// Normalised.
    let to: String
    /// The mailbox's word for what it is for.
    let purpose: String
    let subject: String
    var code: String?
    var link: String?
    let expiresAt: Timestamp?
    let sentAt: Timestamp
    let text: String
    let html: String
    let headers: [(name: String, value: String)]

    /// What is sealed: everything somebody could act on.
    var sealableContent: String {
        let content: JSON = [
            "code": JSON(code), "link": JSON(link), "text": .string(text),
            "html": .string(html),
            "headers": .array(
                headers.map { [.string($0.name), .string($0.value)] }),
        ]
        return content.description
    }

    /// The mail it became at that place of the box.
    func mail(_ sequence: Int64) -> Mail {
        Mail(
            id: id, sequence: sequence, workspace: realm.workspace, app: realm.contract, to: to,
            subject: subject, purpose: purpose, code: code, link: link, expiresAt: expiresAt?.date,
            usedAt: nil, sentAt: sentAt.date, text: text, html: html, headers: headers)
    }
}
