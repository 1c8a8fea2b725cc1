import Core
import FoundationEssentials
import Testing
import Web

@testable import Simulator

/// What is stored of a token, without the token itself.
@Suite(.timeLimit(.minutes(10))) struct TokenSummaryTests {
    @Test(arguments: [2, 48, 64]) func `a deeply nested token is read back as it was stored`(
        depth: Int
    ) throws {
        let header =
            #"{"a":"# + String(repeating: "[", count: depth - 1)
            + String(repeating: "]", count: depth - 1) + "}"
        let token = [header, #"{"exp":1795271700}"#, "signature"].map {
            Base64URL.encode(Array($0.utf8))
        }.joined(separator: ".")
        let summary = Session.TokenSummary(decoding: token, at: Date(timeIntervalSince1970: 1))
        let reread = Session.TokenSummary(
            storedJSON: summary.storedJSON.description, claims: summary.claims?.description)
        #expect(reread == summary)
        #expect(reread?.expiresAt == Date(timeIntervalSince1970: 1_795_271_700))
    }
}
