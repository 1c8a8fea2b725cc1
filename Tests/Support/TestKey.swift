package import Crypto
package import SQLite

/// A key that takes long to make, made once for all tests of a process.
package enum TestKey {
    private static let rsa = Result {
        try SigningKey.generate(.rs256, keyID: "key_lent").privateJWK()
    }

    /// Puts the RSA key where the backend would put its own, so that it finds
    /// one and makes none.
    package static func lend(
        to database: Database, sealedBy sealer: Sealer, contract: String = "clarity"
    ) async throws {
        let sealed = try sealer.seal(try rsa.get())
        try await database.write { connection in
            try connection.run(
                "INSERT OR IGNORE INTO signing_keys VALUES (?, ?, ?, ?, 0)",
                [.text("key_lent"), .text(contract), .text("access"), .text(sealed)])
        }
    }
}
