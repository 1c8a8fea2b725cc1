/// Digests and comparisons.
package enum Digest {
    /// SHA-256 as lower-case hex, for storing one-time codes and refresh
    /// tokens without being able to read them back.
    package static func sha256(_ text: String) -> String {
        preconditionFailure("not built yet")
    }

    /// Equality whose time does not depend on where the difference is.
    package static func constantTimeEquals(_ a: String, _ b: String) -> Bool {
        preconditionFailure("not built yet")
    }
}
