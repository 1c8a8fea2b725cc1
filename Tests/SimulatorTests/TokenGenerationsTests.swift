import FoundationEssentials
import Testing

@testable import Simulator

/// The names of a session's refresh tokens.
@Suite(.timeLimit(.minutes(10))) struct TokenGenerationsTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func archived(
        _ number: Int, _ generation: Int, _ origin: ArchivedToken.Origin = .device
    )
        -> ArchivedToken
    {
        ArchivedToken(
            number: number, kind: .refresh, generation: generation, origin: origin,
            summary: Session.TokenSummary(decoding: "t", at: now),
            exchange: origin == .device ? nil : "exc_\(number)")
    }

    private func generations(refreshes: Int, _ tokens: [(token: ArchivedToken?, value: String)])
        -> TokenGenerations
    {
        TokenGenerations(
            Session(
                id: "s", workspace: "main", app: "bob", device: "d", backend: "embedded",
                userID: nil, email: nil, state: .active, createdAt: now, refreshedAt: nil,
                refreshCount: refreshes, endedAt: nil, accessToken: nil, refreshToken: nil),
            tokens: tokens)
    }

    private func titles(_ generations: TokenGenerations) -> [String] {
        generations.tokens.map(\.name.lowercaseTitle)
    }

    @Test func `generations count the device's tokens, and other tokens have a letter`() {
        let named = generations(
            refreshes: 1,
            [
                (archived(2, 1), "one"), (archived(4, 2, .otherClient), "rival"),
                (archived(6, 2, .reuse), "again"), (archived(8, 3, .responseLost), "lost"),
                (nil, "two"),
            ])
        #expect(
            titles(named) == [
                "generation 1", "generation 2b, second client",
                "generation 2c, from a reused token",
                "generation 3b, response lost", "generation 2",
            ])
        #expect(named.deviceToken(ofGeneration: 1)?.value == "one")
        #expect(named.deviceToken(ofGeneration: 2)?.value == "two")
        #expect(named.deviceToken(ofGeneration: 3) == nil)
        #expect(named.token(issuedBy: "exc_6")?.name.label == "2c")
    }

    @Test func `the same token issued to two clients has one name`() {
        let named = generations(
            refreshes: 1,
            [(archived(2, 1), "one"), (archived(4, 2, .otherClient), "two"), (nil, "two")])
        #expect(named.tokens.map(\.name.label) == ["1", "2", "2"])
        #expect(named.deviceToken(ofGeneration: 2)?.token == nil)
    }

    @Test func `tokens undone by a restore have a letter`() {
        let named = generations(
            refreshes: 1,
            [
                (archived(2, 1), "one"), (archived(4, 2), "two"), (archived(6, 3), "three"),
                (nil, "anew"),
            ])
        #expect(
            titles(named) == [
                "generation 1", "generation 2b, undone", "generation 3b, undone", "generation 2",
            ])
        #expect(named.deviceToken(ofGeneration: 2)?.value == "anew")
    }

    @Test func `the last token of an ended session is still the device's own`() {
        let named = generations(refreshes: 1, [(archived(2, 1), "one"), (archived(4, 2), "two")])
        #expect(named.deviceToken(ofGeneration: 2)?.value == "two")
        #expect(named.tokens.map(\.name.label) == ["1", "2"])
    }

    @Test func `letters continue after the end of the alphabet`() {
        let named = generations(
            refreshes: 1, (1...27).map { (archived($0, 2, .reuse), "again \($0)") })
        let labels = named.tokens.map(\.name.label)
        #expect(labels.first == "2b" && labels.suffix(3) == ["2z", "2bb", "2bc"])
        #expect(Set(labels).count == labels.count)
    }
}
