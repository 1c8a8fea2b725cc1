import FoundationEssentials
import Testing

@testable import Simulator

/// What a session's refresh tokens are called.
@Suite(.timeLimit(.minutes(10))) struct TokenGenerationsTests {
    private let now = Date(timeIntervalSince1970: 1_795_271_727)

    private func kept(_ number: Int, _ generation: Int, _ branch: ArchivedToken.Origin = .device)
        -> ArchivedToken
    {
        ArchivedToken(
            number: number, kind: .refresh, generation: generation, origin: branch,
            summary: Session.TokenSummary(token: "t", at: now),
            exchange: branch == .device ? nil : "exc_\(number)")
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

    private func words(_ generations: TokenGenerations) -> [String] {
        generations.tokens.map(\.name.lowercaseTitle)
    }

    @Test func `the device counts, and what it does not hold has a letter`() {
        let found = generations(
            refreshes: 1,
            [
                (kept(2, 1), "one"), (kept(4, 2, .otherClient), "rival"),
                (kept(6, 2, .reuse), "again"), (kept(8, 3, .responseLost), "lost"), (nil, "two"),
            ])
        #expect(
            words(found) == [
                "generation 1", "generation 2b, the other tab's", "generation 2c, of a used token",
                "generation 3b, never heard of", "generation 2",
            ])
        #expect(found.deviceToken(ofGeneration: 1)?.value == "one")
        #expect(found.deviceToken(ofGeneration: 2)?.value == "two")
        #expect(found.deviceToken(ofGeneration: 3) == nil)
        #expect(found.token(issuedBy: "exc_6")?.name.label == "2c")
    }

    @Test func `two tabs that were given the same token have one name`() {
        let found = generations(
            refreshes: 1, [(kept(2, 1), "one"), (kept(4, 2, .otherClient), "two"), (nil, "two")])
        #expect(found.tokens.map(\.name.label) == ["1", "2", "2"])
        #expect(found.deviceToken(ofGeneration: 2)?.token == nil)
    }

    @Test func `after an earlier state came back the newer line counts`() {
        let found = generations(
            refreshes: 1,
            [(kept(2, 1), "one"), (kept(4, 2), "two"), (kept(6, 3), "three"), (nil, "anew")])
        #expect(
            words(found) == [
                "generation 1", "generation 2b, undone", "generation 3b, undone", "generation 2",
            ])
        #expect(found.deviceToken(ofGeneration: 2)?.value == "anew")
    }

    @Test func `after its end the last one is its own still`() {
        let found = generations(refreshes: 1, [(kept(2, 1), "one"), (kept(4, 2), "two")])
        #expect(found.deviceToken(ofGeneration: 2)?.value == "two")
        #expect(found.tokens.map(\.name.label) == ["1", "2"])
    }

    @Test func `letters do not end with the alphabet`() {
        let found = generations(
            refreshes: 1, (1...27).map { (kept($0, 2, .reuse), "again \($0)") })
        let labels = found.tokens.map(\.name.label)
        #expect(labels.first == "2b" && labels.suffix(3) == ["2z", "2bb", "2bc"])
        #expect(Set(labels).count == labels.count)
    }
}
