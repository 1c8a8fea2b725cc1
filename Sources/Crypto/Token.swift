import Core

/// A token decoded without verifying it.
package struct Token: Sendable, Equatable {
    /// The header's JSON text; nil if this is not a JWT (opaque).
    package let header: String?
    /// The claims' JSON text; nil if this is not a JWT.
    package let claims: String?
    /// The header's `alg`, `kid` and `typ`.
    package let algorithm: String?
    package let keyID: String?
    package let type: String?
    /// Seconds since 1970 (RFC 7519, 4.1), if present.
    package let issuedAt: Int64?
    package let expiresAt: Int64?
    package let subject: String?
    package let issuer: String?
    /// A header member that changes how a signature is made and is not supported.
    let unsupportedHeader: String?

    /// In bytes; longer texts are treated as opaque, since no HTTP header carries them.
    private static let maxLength = 256 * 1024

    /// Decodes any text; never fails.
    package init(decoding text: String) {
        if let (head, body) = Self.parts(of: text),
            let headText = String(validating: head, as: UTF8.self),
            let bodyText = String(validating: body, as: UTF8.self), let headJSON = JSONObject(head),
            let bodyJSON = JSONObject(body)
        {
            self.init(headText, headJSON, bodyText, bodyJSON)
        } else {
            self.init(opaque: ())
        }
    }

    private init(
        _ headText: String, _ head: borrowing JSONObject, _ bodyText: String,
        _ body: borrowing JSONObject
    ) {
        header = headText
        claims = bodyText
        algorithm = head.text("alg")
        keyID = head.text("kid")
        type = head.text("typ")
        var unsupported: String?
        for name in ["crit", "zip"] where head.hasMember(name) { unsupported = name }
        unsupportedHeader = unsupported
        issuedAt = body.numericDate("iat")
        expiresAt = body.numericDate("exp")
        subject = body.text("sub")
        issuer = body.text("iss")
    }

    private init(opaque: Void) {
        header = nil
        claims = nil
        algorithm = nil
        keyID = nil
        type = nil
        unsupportedHeader = nil
        issuedAt = nil
        expiresAt = nil
        subject = nil
        issuer = nil
    }

    /// Whether it has the three parts of a JWS with JSON header and claims.
    package var isJWT: Bool { header != nil }

    /// Header and claims of three base64url parts; the third may be empty.
    private static func parts(of text: String) -> ([UInt8], [UInt8])? {
        guard text.utf8.count <= maxLength else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 3, let head = Base64URL.decode(parts[0]),
            let body = Base64URL.decode(parts[1]), Base64URL.decode(parts[2]) != nil
        else { return nil }
        return (head, body)
    }

    /// First 6 and last 4 characters, `eyJhbG…x9Qw`; for less than 16 characters `…` and the last
    /// 2, for less than 6 only `…`.
    ///
    /// Characters are Unicode scalars, so that no more is shown than stated.
    package static func masked(_ text: String) -> String {
        let scalars = text.unicodeScalars
        // Takes from the end, however long the text is.
        func last(_ count: Int) -> String { String(scalars.suffix(count)) }
        if scalars.dropFirst(15).isEmpty {
            return scalars.dropFirst(5).isEmpty ? "…" : "…" + last(2)
        }
        return String(scalars.prefix(6)) + "…" + last(4)
    }
}
