import Web

/// What a client that keeps a secret of its own sends along (RFC 7636): who
/// follows the link must show the secret to be signed in.
struct SocotoChallenge: Sendable, Equatable {
    let text: String
    let method: Method

    /// The raw value is the database's word.
    enum Method: String, Sendable { case plain, s256 }

    /// Nil if the body holds none; both of its members belong together.
    init?(_ body: SocotoBody) throws(SocotoFailure) {
        let text = try body.text("code_challenge")
        let method = try body.text("code_challenge_method")
        guard !text.isEmpty || !method.isEmpty else { return nil }
        guard !text.isEmpty, !method.isEmpty else { throw .halfChallenge }
        guard let known = Method(rawValue: method.lowercased()) else {
            throw .invalid("Invalid code_challenge_method: \(method.prefix(20))")
        }
        guard (43...128).contains(text.utf8.count) else {
            throw .invalid("code challenge has to be between 43 and 128 characters")
        }
        guard text.utf8.allSatisfy(Self.mayStand) else {
            throw .invalid(
                "code challenge can only contain alphanumeric characters, "
                    + "hyphens, periods, underscores and tildes")
        }
        self.text = text
        self.method = known
    }

    private static func mayStand(_ byte: UInt8) -> Bool { PercentEncoding.isUnreserved(byte) }
}
