package import Crypto
package import SQLite

/// An RSA key, generated once for all tests of a process because generation is slow.
package enum TestKey {
    private static let rsa = Result {
        try SigningKey.generate(.rs256, keyID: "key_lent").privateJWK()
    }

    /// Stores the RSA key where the backend would store its own, so that it does not generate one.
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
