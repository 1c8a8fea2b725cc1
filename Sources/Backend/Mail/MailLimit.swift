/// How many mails of one purpose an address gets within a time window.
struct MailLimit: Sendable {
    /// High enough for manual testing, low enough to be reached.
    var count = 5
    var window: Duration = .seconds(600)
}

extension MailLimit {
    /// For servers without a mail limit.
    static let unlimited = MailLimit(count: .max)
}
