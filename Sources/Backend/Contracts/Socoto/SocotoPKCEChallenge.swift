import Web

/// What a client that keeps a secret of its own sends along (RFC 7636): who
/// follows the link must show the secret to be signed in.
struct SocotoPKCEChallenge: Sendable, Equatable {
    let value: String
    let method: Method

    /// The raw value is the database's word.
    enum Method: String, Sendable { case plain, s256 }

    /// Nil if the body holds none; both of its members belong together.
    init?(_ body: SocotoAuthBody) throws(SocotoAuthFailure) {
        let text = try body.text("code_challenge")
        let method = try body.text("code_challenge_method")
        guard !text.isEmpty || !method.isEmpty else { return nil }
        guard !text.isEmpty, !method.isEmpty else { throw .incompleteCodeChallenge }
        guard let known = Method(rawValue: method.lowercased()) else {
            throw .invalid("Invalid code_challenge_method: \(method.prefix(20))")
        }
        guard (43...128).contains(text.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw .invalid(
                "code challenge can only contain alphanumeric characters, "
                    + "hyphens, periods, underscores and tildes")
        }
        self.value = text
        self.method = known
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { PercentEncoding.isUnreserved(byte) }
}
