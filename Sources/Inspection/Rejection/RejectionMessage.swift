package import Traffic

/// The sentence below the checks of a rejection.
package enum RejectionMessage {
    package static func cause(
        _ failed: ExchangeCheck?, status: Int, isExact: Bool, fault: String?,
        fill: (String) -> String
    ) -> String {
        let faultText = fault.map { "The fault \($0) was active. " } ?? ""
        guard let failed else {
            return faultText + "The server responded with \(status). Cause unknown."
        }
        let evidence = fill(failed.evidence)
        let start = sentenceStarts[failed.name] ?? "Rejected by the server"
        // Some evidence only repeats the check's own words.
        let isRedundant = start.lowercased().contains(evidence.lowercased())
        let sentence = isRedundant || evidence.isEmpty ? start : "\(start): \(evidence)"
        return faultText + sentence + (sentence.last == "." ? "" : ".")
            + (isExact ? "" : " Inferred by Foyer.")
    }

    private static let sentenceStarts = [
        "host": "Unknown host",
        "workspace": "Unknown workspace in the URL",
        "route": "No such route",
        "apiKey": "Invalid API key",
        "rateLimit": "Rate limited",
        "body": "Unreadable body",
        "fields": "A field is missing or invalid",
        "featureEnabled": "Turned off for the project",
        "emailAvailable": "Email already in use",
        "account": "No account with this email",
        "password": "Password rejected",
        "accountActive": "Account may not sign in",
        "emailVerified": "Email not verified",
        "authorizationHeader": "Bearer token missing",
        "jwt": "Token is not a JWT",
        "algorithm": "Token algorithm doesn't match its key",
        "signature": "Invalid token signature",
        "issuer": "Token from another issuer",
        "audience": "Token for another audience",
        "expiry": "Token expired",
        "session": "Token's session ended",
        "tokenAccount": "Token's account not found",
        "refreshToken": "Unknown refresh token",
        "refreshTokenReuse": "Refresh token reused, token family revoked",
        "refreshTokenAge": "Refresh token too old", "code": "Code rejected",
        "codeValidity": "Code expired or used",
        "codeAttempts": "Too many code attempts", "permission": "Permission denied",
        "state": "Conflict with current state",
        "credentials": "Credentials rejected", "token": "Token rejected",
    ]
}
