/// Somebody to be made on the embedded backend, as whoever runs it wants them.
package struct AccountDraft: Sendable, Equatable {
    /// Made up if there is none.
    package var email: String?
    /// Made up if there is none and the contract's people need one.
    package var password: String?
    package var state: State
    /// What screens call them; made of the address if there is none.
    package var displayName: String?
    /// How long their access tokens live, in seconds; nil is the contract's
    /// rule.
    package var accessTokenTTL: Int?

    /// How they stand from the beginning.
    package enum State: String, Sendable, CaseIterable {
        /// The mail that was sent was never read.
        case unverified
        case verified
        /// Verified, and locked out for a while.
        case locked
    }

    package init(
        email: String? = nil, password: String? = nil, state: State = .verified,
        displayName: String? = nil, accessTokenTTL: Int? = nil
    ) {
        self.email = email
        self.password = password
        self.state = state
        self.displayName = displayName
        self.accessTokenTTL = accessTokenTTL
    }

    /// Two words, for servers that keep a first and a last name.
    static func splitName(of displayName: String) -> (first: String, last: String) {
        let words = displayName.split(separator: " ", maxSplits: 1)
        return (
            words.first.map(String.init) ?? displayName, words.count > 1 ? String(words[1]) : "Doe"
        )
    }

    /// `nora.j` of `nora.j@example.com` is called Nora J.
    static func defaultDisplayName(of address: EmailAddress) -> String {
        let words = address.text.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        return words.isEmpty ? "Somebody" : words.joined(separator: " ")
    }
}
