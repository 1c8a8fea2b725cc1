import FoundationEssentials
import Testing
import Web

@testable import Console

@Suite struct BearerTokenTests {
    private func part(_ json: String) -> String {
        Base64URL.encode(Array(json.utf8))
    }

    @Test func `header and claims are read in the order signed`() throws {
        let token = try #require(
            BearerToken(
                decoding: part(#"{"typ":"JWT","alg":"ES256"}"#) + "."
                    + part(#"{"sub":"ä?>","exp":1795271678,"a":1}"#) + ".c2ln"))
        #expect(token.header.map(\.name) == ["typ", "alg"])
        #expect(token.claims.map(\.name) == ["sub", "exp", "a"])
        #expect(token.claims.first?.value.string == "ä?>")
        #expect(
            token.time("exp") == Date(timeIntervalSince1970: 1_795_271_678))
        #expect(token.time("iat") == nil)
    }

    @Test(arguments: ["", "rt_8K4hTz", "a.b", "a.b.c", "!.!.!", "e30.W10.x"])
    func `what is no JWT is not taken apart`(token: String) {
        #expect(BearerToken(decoding: token) == nil)
    }
}
