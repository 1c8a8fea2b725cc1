import SQLite

/// Selects mails of a workspace.
struct MailFilter: Sendable {
    var workspace: String
    /// The full address in any spelling.
    var to: String?
    var app: String?
    var purpose: String?
    var since: Timestamp?

    /// Conditions joined by AND, and the values bound to them.
    var sqlCondition: (sql: StaticSQL, values: [Value]) {
        var parts: [StaticSQL] = ["workspace = ?"]
        var values: [Value] = [.text(workspace)]
        func add(_ part: StaticSQL, _ value: Value?) {
            guard let value else { return }
            parts.append(part)
            values.append(value)
        }
        add("recipient = ?", to.map { .text(Self.normalized($0)) })
        add("contract = ?", app.map { .text($0) })
        add("purpose = ?", purpose.map { .text($0) })
        add("sent_at >= ?", since?.sqlValue)
        return (.joined(parts, separator: " AND "), values)
    }

    func matches(_ mail: Mail) -> Bool {
        mail.workspace == workspace && to.map { Self.normalized($0) == mail.to } ?? true
            && app.map { $0 == mail.app } ?? true && purpose.map { $0 == mail.purpose } ?? true
            && since.map { $0 <= Timestamp(mail.sentAt) } ?? true
    }

    /// The address as stored for recipients; text that is no address matches nothing.
    static func normalized(_ address: String) -> String {
        EmailAddress(address)?.text ?? address.lowercased()
    }
}
