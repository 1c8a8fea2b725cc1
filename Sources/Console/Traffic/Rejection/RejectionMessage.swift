import Traffic

/// The sentence below the checks of a rejection.
enum RejectionMessage {
    static func cause(
        _ failed: ExchangeCheck?, status: Int, isExact: Bool, fault: String?,
        fill: (String) -> String
    ) -> String {
        let faultText = fault.map { "The condition \($0) was on this call. " } ?? ""
        guard let failed else {
            return faultText + "The server answered \(status), and nothing that "
                + "can be seen from here says why."
        }
        let evidence = fill(failed.evidence)
        let start = Self.sentenceStart(failed.name)
        // Some evidence only repeats the check's own words.
        let isRedundant = start.lowercased().contains(evidence.lowercased())
        let sentence = isRedundant || evidence.isEmpty ? start : "\(start): \(evidence)"
        return faultText + sentence + (sentence.last == "." ? "" : ".")
            + (isExact ? "" : " This is what can be told without the server.")
    }

    /// The sentence for a check's name, or a general one for an unknown name.
    private static func sentenceStart(_ name: String) -> String {
        sentenceStarts[name] ?? "The server would not do this"
    }

    private static let sentenceStarts = [
        "host": "The request names a host that is not this backend",
        "workspace": "The address names no workspace of this backend",
        "route": "Nothing answers this method and path",
        "key": "The project's API key is missing or wrong",
        "limit": "It was asked too often",
        "body": "The body could not be read",
        "fields": "A field is missing or not as it should be",
        "setting": "This is turned off for the project",
        "addressFree": "The e-mail is taken already",
        "account": "Nobody has this e-mail",
        "password": "The password did not match",
        "standing": "The account may not sign in",
        "verified": "The e-mail was never verified",
        "header": "The call needs a bearer token",
        "jwt": "What was sent as token is no JWT",
        "algorithm": "The token's algorithm is not its key's",
        "signature": "The token was not signed by this server's key",
        "issuer": "The token comes from somebody else",
        "audience": "The token is meant for somebody else",
        "expiry": "The token was over",
        "session": "The token's session is over",
        "holder": "The token's account is gone",
        "refresh": "The refresh token was never handed out here",
        "generation": "The refresh token had been used before, so its whole family was ended",
        "age": "It was too old", "code": "The code did not match",
        "codeFresh": "The code does not work any more",
        "guesses": "The code was guessed at too often", "permission": "This caller may not do that",
        "state": "What was asked does not fit how things stand",
        "credentials": "The credentials were not accepted", "token": "The token was not accepted",
    ]
}
