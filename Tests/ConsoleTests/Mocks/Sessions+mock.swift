import DomainMocks
import FoundationEssentials
import Templates
import Web

@testable import Console
@testable import Inspection
@testable import Simulator

extension ComparedField {
    static func mock(user: String) -> ComparedField {
        var field = ComparedField(
            id: "email", name: "Email", deviceValue: .none, tokenValue: .text(user),
            serverValue: .text("other@example.com"))
        field.discrepancy = Discrepancy(
            .emailMismatch, .token, "It was changed.", fix: "Refresh to update it.")
        return field
    }
}

extension TokenGenerations {
    /// A superseded generation and the stored one.
    static var mock: TokenGenerations {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return .mock(.mock(at: now), [(.mock(2, generation: 1, at: now), "one"), (nil, "two")])
    }

    static func mock(_ session: Session, _ tokens: [(ArchivedToken?, String)]) -> TokenGenerations {
        TokenGenerations(session, tokens: tokens.map { (token: $0, value: $1) })
    }
}

extension ArchivedToken {
    static func mock(_ number: Int, generation: Int, _ origin: Origin = .device, at now: Date)
        -> ArchivedToken
    {
        ArchivedToken(
            number: number, kind: .refresh, generation: generation, origin: origin,
            summary: Session.TokenSummary(decoding: "t", at: now),
            exchange: origin == .device ? nil : "exc_\(number)")
    }
}

extension TemplateModel {
    static var family: TemplateModel {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return Family(
            .mock(at: now),
            history: [
                SessionHistoryEntry(at: now, kind: "signedIn", title: "Signed in", generation: 1),
                SessionHistoryEntry(at: now, kind: "refreshed", title: "Refreshed", generation: 2),
                SessionHistoryEntry(
                    at: now, kind: "replay.rejected", title: "Rejected", generation: 1,
                    exchange: "exc_1"),
            ], generations: .mock, sessionState: nil
        ).model(
            of: .mock(at: now), id: "fam_1", generations: .mock, canRefresh: true,
            hasRefreshCall: true)
    }

    static var unexpiredTokens: TemplateModel {
        let now = Date(timeIntervalSince1970: 1_795_271_727)
        return UnexpiredToken.model(
            [
                UnexpiredToken(
                    name: "Generation 1", token: Session.mock(at: now).accessToken!, number: 1)
            ], hasEnded: true, now: now, systemNow: now)
    }
}
