/// How many mails of one purpose an address gets in a while.
struct MailLimit: Sendable {
    /// Generous: enough for trying things out, few enough to be met.
    var count = 5
    var window: Duration = .seconds(600)
}

extension MailLimit {
    /// For servers that send whenever they are asked.
    static let unlimited = MailLimit(count: .max)
}
