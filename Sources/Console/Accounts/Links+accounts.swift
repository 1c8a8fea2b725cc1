/// URLs of the account pages.
extension Links {
    static let addAccount = "/accounts/new"
    static let bulkAddAccounts = "/accounts/many"

    static func account(_ id: String) -> String { "/accounts/\(id)" }

    static func account(_ id: String, _ action: String) -> String { "/accounts/\(id)/\(action)" }

    static func mailbox(to email: String) -> String { url(mailbox, [("to", email)]) }
}
