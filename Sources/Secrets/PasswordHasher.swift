/// Hashes passwords with yescrypt (`crypt(3)`) on a queue of its own.
///
/// At most two run at once and 256 wait; beyond that it throws `.busy`, so a
/// flood of sign-ins stops neither pages nor the process.
package struct PasswordHasher: Sendable {
    /// `cost` is yescrypt's, 1 … 11; 5 is Debian's default, tests take 1.
    package init(cost: Int = 5) { preconditionFailure("not built yet") }

    /// The hash as `crypt(5)` writes it, with a fresh salt.
    package func hash(_ password: String) async throws(SecretsError) -> String {
        preconditionFailure("not built yet")
    }

    /// Whether `password` gives `hash`. With nil (an unknown user) it costs
    /// the same and answers false, so timing tells nobody who exists.
    package func verify(
        _ password: String, against hash: String?
    ) async throws(SecretsError) -> Bool {
        preconditionFailure("not built yet")
    }
}
