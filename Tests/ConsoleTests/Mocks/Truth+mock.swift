import FoundationEssentials
import Web

@testable import Console
@testable import Simulator

extension ViewsModel {
    static func mock(user: String) -> ViewsModel {
        var fact = ViewFact(
            id: "email", name: "E-mail", stored: .none, claimed: .text(user),
            known: .text("other@example.com"))
        fact.disagreement = Disagreement(
            kind: .emailChanged, odd: .claimed, why: "It was changed.",
            mend: "A refresh would carry it.")
        return ViewsModel(
            sumText: "1 of 1 disagree", alarmed: true, storedNote: "on the phone, now",
            claimedNote: "by the access token", knownNote: "by the server", rows: [Row(fact)])
    }
}

extension Generations {
    /// One that was given up, and the stored one.
    static var mock: Generations {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return .mock(.mock(at: now), [(.mock(2, generation: 1, at: now), "one"), (nil, "two")])
    }

    static func mock(_ session: Session, _ tokens: [(KeptToken?, String)]) -> Generations {
        Generations(session, tokens: tokens.map { (token: $0, value: $1) })
    }
}

extension KeptToken {
    static func mock(_ number: Int, generation: Int, _ branch: Branch = .own, at now: Date)
        -> KeptToken
    {
        KeptToken(
            number: number, kind: .refresh, generation: generation, branch: branch,
            held: Session.Held(token: "t", at: now),
            exchange: branch == .own ? nil : "exc_\(number)")
    }
}

extension FamilyModel {
    static var mock: FamilyModel {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return FamilyModel(
            Family(
                .mock(at: now),
                moments: [
                    SessionMoment(at: now, kind: "signedIn", title: "Signed in", generation: 1),
                    SessionMoment(at: now, kind: "refreshed", title: "Refreshed", generation: 2),
                    SessionMoment(
                        at: now, kind: "replay.refused", title: "Refused", generation: 1,
                        exchange: "exc_1"),
                ], generations: .mock, truth: nil), of: .mock(at: now), id: "fam_1",
            generations: .mock, canRefresh: true, hasCall: true)
    }
}

extension WindowModel {
    static var mock: WindowModel {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return WindowModel(
            [
                LivingToken(
                    name: "Generation 1", held: Session.mock(at: now).accessToken!, number: 1)
            ], isOver: true, probeAction: "/sessions/s1/probe", probes: [:], now: now, real: now)
    }
}

extension TokensModel {
    static var mock: TokensModel {
        TokensModel(
            frame: .mock(at: "sessions"), csrf: "token-of-this-page", action: "/tokens",
            error: "Paste a token first.",
            result: Result(
                cards: [],
                diff: TokenDiffModel(
                    TokenDiff(
                        before: TokenParts(claims: ["exp": 1_795_271_727]),
                        after: TokenParts(claims: ["exp": 1_795_272_027])), before: "First",
                    after: "Second")))
    }
}
