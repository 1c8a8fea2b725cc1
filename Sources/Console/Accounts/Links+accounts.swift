/// The addresses of accounts.
extension Links {
    static let addAccount = "/accounts/new"
    static let bulkAddAccounts = "/accounts/many"

    static func account(_ id: String) -> String { "/accounts/\(id)" }

    static func account(_ id: String, _ act: String) -> String { "/accounts/\(id)/\(act)" }

    static func mailbox(to email: String) -> String { url(mailbox, [("to", email)]) }
}
