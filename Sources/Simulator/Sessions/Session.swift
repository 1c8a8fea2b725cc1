import Crypto
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
    package var state: State = .active
    package var createdAt: Date
    package var refreshedAt: Date?
    package var refreshCount = 0
    package var endedAt: Date?
    /// The last access token, decoded; nil before the first.
    package var accessToken: TokenSummary?
    package var refreshToken: TokenSummary?
    /// The access token's generation, from 1.
    var accessTokenGeneration = 1
    /// Number of discrepancies between device, token and backend at the last check.
    package var discrepancyCount = 0

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

extension Session.TokenSummary {
    /// Decodes a token without verifying it; the summary is not enough to use it.
    package init(decoding text: String, at date: Date) {
        let token = Token(decoding: text)
        self.init(
            maskedValue: Token.masked(text), header: token.header.flatMap(Self.parseUntrustedJSON),
            claims: token.claims.flatMap(Self.parseUntrustedJSON),
            issuedAt: Self.date(token.issuedAt), expiresAt: Self.date(token.expiresAt),
            byteCount: text.utf8.count, receivedAt: date)
    }

    private static func parseJSON(_ text: String) -> JSON? {
        try? JSONReader.read(Array(text.utf8))
    }

    private static func parseUntrustedJSON(_ text: String) -> JSON? {
        try? JSONReader.read(Array(text.utf8), maxDepth: JSONReader.upstreamDepth)
    }

    private static func date(_ seconds: Int64?) -> Date? {
        seconds.map { Date(clamping: Double($0)) }
    }

    // MARK: Stored

    /// All but the claims, which have their own column.
    var storedJSON: JSON {
        [
            "masked": .string(maskedValue), "header": header ?? .null,
            "iat": Self.epochSeconds(issuedAt), "exp": Self.epochSeconds(expiresAt),
            "bytes": JSON(byteCount), "at": Self.epochSeconds(receivedAt),
        ]
    }

    init?(storedJSON text: String, claims: String?) {
        guard let json = Self.parseJSON(text) else { return nil }
        let header = json["header"]
        self.init(
            maskedValue: json["masked"]?.string ?? "…", header: header == .null ? nil : header,
            claims: claims.flatMap(Self.parseJSON), issuedAt: json["iat"]?.dateFromSeconds,
            expiresAt: json["exp"]?.dateFromSeconds, byteCount: Int(json["bytes"]?.int ?? 0),
            receivedAt: json["at"]?.dateFromSeconds ?? .distantPast)
    }

    private static func epochSeconds(_ date: Date?) -> JSON {
        date.map { .double($0.timeIntervalSince1970) } ?? .null
    }
}
