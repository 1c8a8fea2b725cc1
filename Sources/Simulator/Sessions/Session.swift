package import FoundationEssentials
package import Web

/// A signed-in user of an app on a device, until the record is deleted.
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
    /// The last access token, decoded; nil before the first.
    package var accessToken: TokenSummary?
    package var refreshToken: TokenSummary?
    /// Number of discrepancies between device, token and backend at the last check.
    package var discrepancyCount: Int = 0

    /// `expired` is computed with the clock when read. `revoked` without `endedAt` means that the
    /// server ended the session and its device has not noticed yet.
    package enum State: String, Sendable, CaseIterable { case active, expired, revoked, signedOut }

    /// A token without its value, decoded but not verified.
    package struct TokenSummary: Sendable, Equatable {
        package var maskedValue: String
        /// The JWT's header; nil for an opaque token.
        package var header: JSON?
        /// The JWT's claims; nil for an opaque token.
        package var claims: JSON?
        /// `iat` and `exp` (RFC 7519, 4.1), if present.
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
        /// The header's `alg`, not verified.
        package var algorithm: String? { header?["alg"]?.string }
        package var keyID: String? { header?["kid"]?.string }
    }
}

extension Session {
    /// The app instance that the session belongs to.
    package var instance: AppInstance {
        AppInstance(workspace: workspace, device: device, app: app)
    }
}
