import Core
import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct SigningKeyTests {
    @Test(arguments: SigningKey.Algorithm.allCases)
    func `a signed token contains its key id and the unchanged claims`(
        _ algorithm: SigningKey.Algorithm
    )
        throws
    {
        let key = try SigningKey.generate(algorithm, keyID: "key-1")
        let claims = #"{ "sub" : "Zoë/1",  "exp":1700000000.0 }"#
        let text = try key.sign(claims: claims)
        let token = Token(decoding: text)
        #expect(token.claims == claims)
        #expect(token.algorithm == algorithm.rawValue)
        #expect(token.keyID == "key-1")
        #expect(token.type == "JWT")
        #expect(
            try KeySet([key]).verify(text)
                == .verified(algorithm: algorithm.rawValue, keyID: "key-1"))
        let typed = try key.sign(claims: claims, type: "at+jwt")
        #expect(Token(decoding: typed).type == "at+jwt")
    }

    @Test(arguments: SigningKey.Algorithm.allCases) func `a stored key signs as before`(
        _ algorithm: SigningKey.Algorithm
    ) throws {
        let key = try SigningKey.generate(algorithm, keyID: "key-1")
        let restored = try SigningKey(privateJWK: key.privateJWK())
        #expect(restored.algorithm == algorithm)
        #expect(restored.keyID == "key-1")
        #expect(try KeySet([restored]).jwks() == KeySet([key]).jwks())
        let token = try restored.sign(claims: "{}")
        #expect(try KeySet([key]).verify(token).isVerified)
    }

    /// The numbers of this key have 31 bytes, as about one generated key in 85 has a number.
    @Test func `the numbers of a P-256 key are padded to 32 bytes`() throws {
        let key = try SigningKey(
            privateJWK: """
                {"kty":"EC","crv":"P-256","kid":"short",\
                "x":"ZkQEInwsMRF0zIxrfdJeFXxsjjDWYJ2bF_3S6NFqvA",\
                "y":"hxArIwWEdWv8GXNhjgAaSTLgTD0zFvWtH6GBXfLABA",\
                "d":"KyhDm3RYJKPW-nSqWZjB-qfDS5emKW68ZTSuT9cVXQ"}
                """)
        let jwk = try key.privateJWK()
        for number in ["\"x\":\"AGZE", "\"y\":\"AIcQ", "\"d\":\"ACso"] {
            #expect(jwk.contains(number))
        }
        #expect(try KeySet(jwks: KeySet([key]).jwks()).verify(key.sign(claims: "{}")).isVerified)
    }

    @Test func `the public key contains no secret`() throws {
        for algorithm in SigningKey.Algorithm.allCases {
            let key = try SigningKey.generate(algorithm, keyID: "k")
            guard let publicJWK = try key.jwk.makePublicKey()?.json() else {
                #expect(algorithm == .hs256)
                continue
            }
            #expect(!publicJWK.contains("\"d\""))
            #expect(publicJWK.contains("\"alg\":\"\(algorithm.rawValue)\""))
            #expect(throws: CryptoError.self) { _ = try SigningKey(privateJWK: publicJWK) }
        }
    }

    @Test(arguments: [SigningKey.Algorithm.rs256, .es256, .edDSA])
    func `a key's certificate contains its public key`(_ algorithm: SigningKey.Algorithm) throws {
        let key = try SigningKey.generate(algorithm, keyID: "k")
        let text = try #require(
            try key.makeCertificate(of: "example.com", from: 1_700_000_000, until: 1_800_000_000))
        let lines = text.split(separator: "\n")
        #expect(lines.first == "-----BEGIN CERTIFICATE-----")
        #expect(lines.last == "-----END CERTIFICATE-----")
        let body = lines.dropFirst().dropLast().joined()
        let bytes = try #require(
            Base64URL.decode(
                body.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")))
        let publicJWK = try #require(try key.jwk.makePublicKey()).json()
        let name = algorithm == .rs256 ? "n" : "x"
        let afterName = try #require(publicJWK.split(separator: "\"\(name)\":\"").last)
        let number = try #require(Base64URL.decode(afterName.prefix { $0 != "\"" }))
        #expect(number.count >= 32)
        #expect(bytes.firstRange(of: number) != nil)
        #expect(bytes.firstRange(of: Array("example.com".utf8)) != nil)
    }

    @Test func `a shared secret has no certificate`() throws {
        let key = try SigningKey.generate(.hs256, keyID: "k")
        #expect(try key.makeCertificate(of: "x", from: 0, until: 1) == nil)
    }

    @Test func `a given secret signs as the standard specifies`() throws {
        let key = try SigningKey(privateJWK: Vectors.hs256Key)
        let claims = try #require(Token(decoding: Vectors.hs256Token).claims)
        let signed = try key.sign(claims: claims)
        // The signed token also has a `kid`; everything else is the same.
        #expect(try KeySet([key]).verify(signed).isVerified)
        #expect(try KeySet([key]).verify(Vectors.hs256Token).isVerified)
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"kty\":\"oct\",\"kid\":\"k\"}", "{\"kty\":\"oct\",\"k\":\"AAAA\"}",
        "{\"kty\":\"oct\",\"k\":\"AAAA\",\"kid\":\"k\",\"alg\":\"ES256\"}",
        "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"d\":\"AA\",\"x\":\"AA\"}",
    ]) func `text that is not a signing key is rejected without quoting it`(_ text: String) {
        let error = #expect(throws: CryptoError.self) { _ = try SigningKey(privateJWK: text) }
        #expect(error?.detail.contains("AAAA") == false)
    }

    @Test func `an empty secret is rejected`() {
        #expect(throws: CryptoError.self) { _ = try SigningKey(secret: [], keyID: "k") }
    }
}
