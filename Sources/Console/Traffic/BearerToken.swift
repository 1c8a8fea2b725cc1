import FoundationEssentials
import Web

/// A JWT taken apart for display; it is not trusted for anything.
///
/// Its claims are no secret, its signature is, and is not kept here.
struct BearerToken: Sendable {
    /// In the order sent.
    let header: [JSON.Member]
    let claims: [JSON.Member]

    /// Nil for a token that is no JWT (RFC 7519, 7.2).
    init?(decoding token: String) {
        let parts = token.split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.members(parts[0]),
            let claims = Self.members(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims
    }

    /// An object in base64url.
    private static func members(_ part: Substring) -> [JSON.Member]? {
        guard let bytes = Base64URL.decode(part),
            case .object(let members)? = try? JSONReader.read(bytes)
        else { return nil }
        return members
    }

    func time(_ name: String) -> Date? {
        claims.first { $0.name == name }?.value.int.map {
            Date(timeIntervalSince1970: Double($0))
        }
    }
}
