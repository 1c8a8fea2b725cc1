import Crypto
package import FoundationEssentials
import Web

extension Session.TokenSummary {
    /// Decodes a token; the summary is not enough to use it.
    init(token text: String, at date: Date) {
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

extension Session.TokenSummary {
    /// Decodes a submitted token without storing or verifying it.
    package init(decoding token: String, at date: Date) { self.init(token: token, at: date) }
}
