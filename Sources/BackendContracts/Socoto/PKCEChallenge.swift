import Web

/// The code challenge of a client with its own secret (RFC 7636). The link's follower must present
/// the secret to be signed in.
struct PKCEChallenge: Sendable, Equatable {
    let value: String
    let method: Method

    /// The raw value is stored in the database.
    enum Method: String, Sendable { case plain, s256 }

    /// Nil if the body has neither member. Throws if it has only one.
    init?(_ body: GoTrueBody) throws(GoTrueFailure) {
        try self.init(
            try body.text("code_challenge"), try body.text("code_challenge_method"))
    }

    /// Nil if both texts are empty. Throws if one is.
    init?(_ text: String, _ method: String) throws(GoTrueFailure) {
        guard !text.isEmpty || !method.isEmpty else { return nil }
        guard !text.isEmpty, !method.isEmpty else { throw .incompleteCodeChallenge }
        guard let parsedMethod = Method(rawValue: method.lowercased()) else {
            throw .invalid("Invalid code_challenge_method: \(method.prefix(20))")
        }
        guard (43...128).contains(text.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        guard text.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
            throw .invalid(
                "code challenge can only contain alphanumeric characters, "
                    + "hyphens, periods, underscores and tildes")
        }
        self.value = text
        self.method = parsedMethod
    }
}
