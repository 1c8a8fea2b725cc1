/// Seals values at rest as compact JWE (RFC 7516), `dir` with A256GCM.
package struct Sealer: Sendable {
    /// `key` is 32 bytes.
    package init(key: [UInt8]) throws(SecretsError) {
        preconditionFailure("not built yet")
    }

    package func seal(_ text: String) throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }

    /// Throws `.wrongKey` when `sealed` was made with another key or changed.
    package func open(_ sealed: String) throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }
}
