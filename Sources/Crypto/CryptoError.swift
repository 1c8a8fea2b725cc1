/// Why a cryptographic operation failed; contains no secret.
package struct CryptoError: Error, Sendable, Equatable {
    package var kind: Kind
    package var detail: String

    package init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    package enum Kind: String, Sendable { case wrongKey, malformed, unsupported, busy, library }
}
