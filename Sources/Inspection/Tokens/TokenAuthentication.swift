package import Web

/// How a user was authenticated, as a token claims it.
package struct TokenAuthentication: Sendable, Equatable {
    /// The provider that the user signed in with: `email`, `google`.
    package let provider: String?
    /// The names of the methods, as the claims list them.
    package let methods: [String]
    /// The assurance level: `aal2`.
    package let assuranceLevel: String?
    /// The kind of the second factor: `totp`, `phone`.
    package let secondFactor: String?

    /// Reads `amr` (RFC 8176; with objects as Supabase has it) and `acr` or `aal`, and the claim
    /// `firebase`. Nil if the claims contain none of them.
    package init?(claims: JSON) {
        var methods: [String] = []
        if case .array(let items)? = claims["amr"] {
            methods = items.compactMap { $0.string ?? $0["method"]?.string }
        }
        let firebase = claims["firebase"]
        self.methods = methods
        provider =
            claims["app_metadata"]?["provider"]?.string ?? firebase?["sign_in_provider"]?.string
        assuranceLevel = claims["aal"]?.string ?? claims["acr"]?.string
        secondFactor =
            firebase?["sign_in_second_factor"]?.string
            ?? (methods.count > 1 ? methods.first { Self.secondFactors.contains($0) } : nil)
        guard provider != nil || !methods.isEmpty || assuranceLevel != nil else { return nil }
    }

    /// Methods that are used after another: Supabase's, and those of RFC 8176, section 2.
    private static let secondFactors: Set = ["totp", "mfa/phone", "mfa/webauthn", "otp", "sms"]
}
