package import FoundationEssentials
package import Web

/// A signed-in device in an app, as long as it is remembered.
package struct Session: Sendable, Equatable {
    package var id: String
    package var workspace: String
    package var app: String
    package var device: String
    package var backend: String
    package var userID: String?
    package var email: String?
    package var state: State
    package var createdAt: Date
    package var refreshedAt: Date?
    package var refreshCount: Int
    package var endedAt: Date?
    /// The last access token it had, taken apart; nil before the first.
    package var accessToken: TokenSummary?
    package var refreshToken: TokenSummary?
    /// In how many things its device, its token and its backend were last
    /// found to disagree.
    package var discrepancyCount: Int = 0

    /// `expired` is judged against the clock when read. `revoked` without an
    /// `endedAt` is one its server ended, as is known here; its device has
    /// not noticed.
    package enum State: String, Sendable, CaseIterable { case active, expired, revoked, signedOut }

    /// A token without its whole value, taken apart without trusting it.
    package struct TokenSummary: Sendable, Equatable {
        package var maskedValue: String
        /// The JWT's header; nil for an opaque token.
        package var header: JSON?
        /// The JWT's claims; nil for an opaque token.
        package var claims: JSON?
        /// `iat` and `exp` (RFC 7519, 4.1), where told.
        package var issuedAt: Date?
        package var expiresAt: Date?
        package var byteCount: Int
        package var receivedAt: Date

        package init(
            maskedValue: String, header: JSON?, claims: JSON?, issuedAt: Date?, expiresAt: Date?,
            byteCount: Int, receivedAt: Date
        ) {
            self.maskedValue = maskedValue
            self.header = header
            self.claims = claims
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
            self.byteCount = byteCount
            self.receivedAt = receivedAt
        }

        package var isJWT: Bool { header != nil }
        /// The header's `alg`; what the token says of itself.
        package var algorithm: String? { header?["alg"]?.string }
        package var keyID: String? { header?["kid"]?.string }
    }
}
