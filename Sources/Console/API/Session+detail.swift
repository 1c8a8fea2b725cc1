import Backend
import FoundationEssentials
import Simulator
import Web

extension Session {
    /// As one is read: with its family and what disagrees.
    func detail(_ evidence: Evidence, _ simulator: Simulator) async throws -> JSON {
        let views = ThreeViews(evidence: evidence)
        var session = self
        session.disagreements = endedAt == nil ? views.drift : 0
        guard case .object(var members) = session.json(signature: evidence.verdict) else {
            return .null
        }
        let kept = try await simulator.keptTokens(ofSession: id, in: workspace)
        members.append(.init("family", Self.family(evidence)))
        members.append(.init("views", .array(views.facts.map(\.json))))
        members.append(
            .init(
                "disagreements",
                .array(
                    views.disagreements.map { fact, disagreement in disagreement.json(of: fact) })))
        members.append(.init("lastAnswer", evidence.answered?.json ?? .null))
        let lineage = evidence.lineage
        members.append(.init("keptTokens", .array(kept.map { $0.json(lineage) })))
        return .object(members)
    }

    private static func family(_ evidence: Evidence) -> JSON {
        guard let known = evidence.truth?.session else { return .null }
        return [
            "id": .string(known.id), "generation": JSON(known.generation),
            "revokedAt": JSON(known.revokedAt?.iso8601),
            "revokedBecause": JSON(known.revokedBecause),
            "refreshTokens": .array(
                (evidence.truth?.issued ?? []).map { token in
                    [
                        "generation": JSON(token.generation),
                        "issuedAt": .string(token.issuedAt.iso8601),
                        "usedAt": JSON(token.usedAt?.iso8601),
                        "reusedAt": JSON(token.reusedAt?.iso8601),
                    ]
                }),
        ]
    }
}

extension ViewFact {
    fileprivate var json: JSON {
        [
            "fact": .string(id),
            "stored": JSON(stored.said?.shown),
            "claimed": JSON(claimed.said?.shown),
            "known": JSON(known.said?.shown),
            "agrees": disagreement != nil
                ? false : isAgreed ? true : .null,
        ]
    }
}

extension Disagreement {
    fileprivate func json(of fact: ViewFact) -> JSON {
        [
            "fact": .string(fact.id), "kind": .string(kind.rawValue),
            "odd": .string(odd.rawValue),
            "stored": JSON(fact.stored.said?.shown),
            "claimed": JSON(fact.claimed.said?.shown),
            "known": JSON(fact.known.said?.shown),
            "why": .string(why), "mend": .string(mend),
        ]
    }
}

extension Answered {
    /// What was asked and heard.
    var json: JSON {
        [
            "at": .string(at.iso8601), "exchange": .string(exchange),
            "call": .string(call), "status": JSON(status),
            "accepted": isAccepted.map(JSON.bool) ?? .null,
        ]
    }
}

extension KeptToken {
    /// Named by its generation as the device counts, and as its server does.
    fileprivate func json(_ lineage: Lineage) -> JSON {
        let name = lineage.generations.name(of: self)
        return [
            "number": JSON(number), "kind": .string(kind.rawValue),
            "generation": JSON(generation), "name": .string(name.label),
            "serverGeneration": JSON(lineage.known(name)?.generation),
            "branch": .string(branch.rawValue),
            "masked": .string(held.masked),
            "expiresAt": JSON(held.expiresAt?.iso8601),
            "exchange": JSON(exchange),
        ]
    }
}
