import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct KeySetTests {
    static let examples = [
        (Vectors.hs256Key, Vectors.hs256Token, "HS256", "a1"),
        (Vectors.rs256Key, Vectors.rs256Token, "RS256", "a2"),
        (Vectors.es256Key, Vectors.es256Token, "ES256", "a3"),
    ]

    @Test(arguments: examples) func `the tokens of the standard are verified`(
        _ key: String, _ token: String, _ algorithm: String, _ keyID: String
    ) throws {
        let all = try KeySet(
            jwks: Vectors.set(Vectors.es256Key, Vectors.hs256Key, Vectors.rs256Key))
        let expected = SignatureStatus.verified(algorithm: algorithm, keyID: keyID)
        #expect(try KeySet(jwks: Vectors.set(key)).verify(token) == expected)
        #expect(all.verify(token) == expected)
    }

    @Test func `the standard's EdDSA signature is verified`() throws {
        let key = try SigningKey(privateJWK: Vectors.edDSAKey)
        let verifying = try #require(VerifyingKey(key.jwk))
        #expect(verifying.algorithm == "EdDSA")
        #expect(verifying.verifies(Vectors.edDSAToken))
        #expect(!verifying.verifies(Vectors.edDSAToken.dropLast(3) + "AAA"))
    }

    @Test(arguments: examples) func `a changed token is invalid`(
        _ key: String, _ token: String, _ algorithm: String, _ keyID: String
    ) throws {
        let keys = try KeySet(jwks: Vectors.set(key))
        let parts = token.split(separator: ".").map(String.init)
        let expected = SignatureStatus.invalid(algorithm: algorithm, keyID: keyID)
        let flipped = (parts[2].first == "A" ? "B" : "A") + parts[2].dropFirst()
        let changed = [
            [parts[0], "{\"iss\":\"eve\"}".base64URL, parts[2]],
            [parts[0], parts[1], flipped],
            [parts[0], parts[1], String(parts[2].dropLast(4))],
            [parts[0], parts[1], ""],
            [parts[0], parts[1], parts[2] + parts[2]],
        ]
        for parts in changed { #expect(keys.verify(parts.joined(separator: ".")) == expected) }
    }

    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a token signed with another key of the same kind is invalid`(
        _ algorithm: SigningKey.Algorithm
    ) throws {
        let key = try SigningKey.generate(algorithm, keyID: "k")
        let other = try SigningKey.generate(algorithm, keyID: "k")
        let token = try other.sign(claims: "{\"sub\":\"u1\"}")
        #expect(
            try KeySet([key]).verify(token) == .invalid(algorithm: algorithm.rawValue, keyID: "k"))
        // Two keys may have the same id during key rotation.
        #expect(
            try KeySet([key, other]).verify(token)
                == .verified(algorithm: algorithm.rawValue, keyID: "k"))
    }

    @Test func `the key id selects the key`() throws {
        let first = try SigningKey.generate(.es256, keyID: "first")
        let second = try SigningKey.generate(.es256, keyID: "second")
        let token = try second.sign(claims: "{}")
        #expect(
            try KeySet([first, second]).verify(token)
                == .verified(algorithm: "ES256", keyID: "second"))
        #expect(try KeySet([first]).verify(token).isUnverified)
    }

    @Test(arguments: ["none", "None", "NONE"]) func `an unsigned token is never verified`(
        _ none: String
    ) throws {
        let keys = try KeySet(jwks: Vectors.set(Vectors.hs256Key))
        let header = "{\"alg\":\"\(none)\",\"kid\":\"a1\"}".base64URL
        #expect(keys.verify(header + "." + Vectors.claims + ".") == .unsigned)
        #expect(keys.verify(header + "." + Vectors.claims + ".AA") == .unsigned)
        #expect(keys.verify(Vectors.unsecured) == .unsigned)
        #expect(KeySet().verify(Vectors.unsecured) == .unsigned)
    }

    @Test func `a public key is never used as a secret`() throws {
        let key = try SigningKey.generate(.rs256, keyID: "k")
        let published = try #require(try key.jwk.makePublicKey()).json()
        let keys = try KeySet([key])
        let jwks = try keys.jwks()
        for secret in [published, jwks] {
            let forger = try SigningKey(secret: Array(secret.utf8), keyID: "k")
            let forged = try forger.sign(claims: "{\"sub\":\"admin\"}")
            #expect(keys.verify(forged) == .invalid(algorithm: "RS256", keyID: "k"))
            let unnamed = try SigningKey(secret: Array(secret.utf8), keyID: "other")
            #expect(keys.verify(try unnamed.sign(claims: "{}")).isUnverified)
        }
    }

    @Test func `a key embedded in the token is not trusted`() throws {
        let key = try SigningKey.generate(.es256, keyID: "mine")
        let header = """
            {"alg":"ES256","jwk":\(Vectors.es256Key),"jku":"http://127.0.0.1:9"}
            """
        let token =
            header.base64URL + "."
            + Vectors.es256Token.split(separator: ".").dropFirst().joined(separator: ".")
        #expect(try KeySet([key]).verify(token) == .invalid(algorithm: "ES256", keyID: "mine"))
        #expect(KeySet().verify(token).isUnverified)
    }

    @Test(arguments: ["\"crit\":[\"b64\"]", "\"zip\":\"DEF\""])
    func `a token with unsupported header parameters is not verified`(_ member: String) throws {
        let keys = try KeySet(jwks: Vectors.set(Vectors.hs256Key))
        let header = "{\"alg\":\"HS256\",\(member)}".base64URL
        #expect(keys.verify(header + "." + Vectors.claims + ".AA").isUnverified)
    }

    @Test func `without keys no token is verified`() {
        #expect(KeySet().isEmpty)
        #expect(KeySet().verify(Vectors.hs256Token).isUnverified)
        #expect(KeySet().verify("opaque") == .opaque)
        #expect(KeySet().verify("e30.e30.").isUnverified)
    }

    @Test func `a published key set contains public keys only`() throws {
        let keys = try SigningKey.Algorithm.allCases.map {
            try SigningKey.generate($0, keyID: $0.rawValue)
        }
        let text = try KeySet(keys).jwks()
        for member in ["\"d\"", "\"k\"", "\"p\"", "\"q\"", "\"dp\""] {
            #expect(!text.contains(member))
        }
        let parsed = try KeySet(jwks: text)
        for key in keys where key.algorithm != .hs256 {
            #expect(
                parsed.verify(try key.sign(claims: "{}"))
                    == .verified(algorithm: key.algorithm.rawValue, keyID: key.keyID))
        }
        #expect(try parsed.jwks() == text)
    }

    @Test func `keys that cannot be used are left out`() throws {
        let unsupported = """
            {"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"},{"kty":"quantum"},\
            {"kty":"RSA","n":"","e":"AQAB"},7,null,{},{"kty":"oct","k":""},\
            {"kty":"oct","k":"AAAA","alg":"RS256"}
            """
        #expect(try KeySet(jwks: Vectors.set(unsupported)).isEmpty)
        #expect(try !KeySet(jwks: Vectors.set(unsupported, Vectors.rs256Key)).isEmpty)
        // The first key of the standard's example is for encryption.
        let example = try KeySet(jwks: Vectors.publicSet)
        #expect(try example.jwks().contains("2011-04-29"))
        #expect(try !example.jwks().contains("MKBCTNIcKUSDii11ySs3526iDZ8"))
    }

    @Test(arguments: ["", "null", "[]", "{}", "{\"keys\":{}}", "{\"keys\":["])
    func `text that is not a key set is rejected as malformed`(_ text: String) {
        let error = #expect(throws: CryptoError.self) { _ = try KeySet(jwks: text) }
        #expect(error?.kind == .malformed)
    }

    @Test func `one key set verifies tokens on many threads`() async throws {
        let key = try SigningKey.generate(.es256, keyID: "k")
        let keys = try KeySet([key])
        try await withThrowingTaskGroup(of: SignatureStatus.self) { group in
            for number in 0..<200 {
                group.addTask { keys.verify(try key.sign(claims: "{\"n\":\(number)}")) }
            }
            for try await signature in group { #expect(signature.isVerified) }
        }
    }
}

extension SignatureStatus {
    var isVerified: Bool { if case .verified = self { true } else { false } }
    var isUnverified: Bool { if case .unverified = self { true } else { false } }
}
