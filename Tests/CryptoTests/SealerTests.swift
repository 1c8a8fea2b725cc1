import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct SealerTests {
    let sealer: Sealer

    init() throws { sealer = try Sealer(key: Array(0..<32)) }

    /// Sealed by another program with the key 0 … 31 and the nonce 0 … 11.
    static let foreign =
        "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAECAwQFBgcICQoL."
        + "AHAVpwZ6pzvsNOSr1YwVTdC171gzxywPXQuH8HMN.fkfB-vAgLTouriNsomo9Tw"

    @Test(arguments: [
        "", "\0", "\0a", "a", "a\0b", "Grüße, 世界 👋🏽", Vectors.rs256Token,
        String(repeating: "long ", count: 200_000),
    ]) func `a sealed text opens unchanged`(_ text: String) throws {
        let sealed = try sealer.seal(text)
        #expect(try sealer.open(sealed) == text)
        #expect(text.count < 2 || !sealed.contains(text))
    }

    @Test func `a sealed text has the compact form of JWE`() throws {
        let sealed = try sealer.seal("token")
        let parts = sealed.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 5)
        #expect(parts[1].isEmpty)
        #expect(try sealer.open(Self.foreign) == "Grüße aus dem Schlüsselbund")
    }

    @Test func `the same text is never sealed to the same result`() throws {
        let sealedTexts = try (0..<100).map { _ in try sealer.seal("token") }
        #expect(Set(sealedTexts).count == 100)
    }

    @Test func `another key opens no sealed text`() throws {
        let other = try Sealer(key: Array(1...32))
        let sealed = try sealer.seal("token")
        let error = #expect(throws: CryptoError.self) { _ = try other.open(sealed) }
        #expect(error?.kind == .wrongKey)
    }

    @Test func `a change in any part is detected`() throws {
        let parts = Self.foreign.split(separator: ".", omittingEmptySubsequences: false).map(
            String.init)
        let longerHeader = "{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"a\":1}".base64URL
        for (index, change) in [
            (0, longerHeader), (2, "BBECAwQFBgcICQoL"), (3, "B" + parts[3].dropFirst()), (3, ""),
            (4, "gkfB-vAgLTouriNsomo9Tw"),
            // A shortened tag would be easier to guess.
            (4, "fkfB"), (4, ""),
        ] {
            var changed = parts
            changed[index] = change
            #expect(throws: CryptoError.self) {
                _ = try sealer.open(changed.joined(separator: "."))
            }
        }
    }

    @Test(arguments: [
        "", "token", "....", "a.b.c.d.e", Vectors.hs256Token, foreign + "\0",
        String(foreign.dropLast(30)), "\0" + foreign,
        "{\"alg\":\"dir\",\"enc\":\"A256GCM\",\"zip\":\"DEF\"}".base64URL + foreign.dropFirst(39),
        "{\"alg\":\"none\",\"enc\":\"A256GCM\"}".base64URL + foreign.dropFirst(39),
        "{\"alg\":\"A256KW\",\"enc\":\"A128CBC-HS256\"}".base64URL + foreign.dropFirst(39),
        String(repeating: "A", count: 1 << 20),
    ]) func `text that was not sealed is rejected`(_ text: String) {
        let error = #expect(throws: CryptoError.self) { _ = try sealer.open(text) }
        #expect(error?.detail.contains("AHAVpwZ6") == false)
    }

    @Test(arguments: [0, 16, 31, 33]) func `a key of the wrong length is rejected`(_ count: Int) {
        #expect(throws: CryptoError.self) {
            _ = try Sealer(key: Array(repeating: 1, count: count))
        }
    }

    @Test func `one sealer serves many threads`() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { [sealer] in
                    try sealer.open(sealer.seal("token \(number)")) == "token \(number)"
                }
            }
            for try await isUnchanged in group { #expect(isUnchanged) }
        }
    }
}
