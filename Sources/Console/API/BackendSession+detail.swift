import Backend
import FoundationEssentials
import Simulator
import Web

extension Session {
    /// As one is read: with its family and what disagrees.
    func detailJSON(_ sources: SessionSources, _ simulator: Simulator) async throws -> JSON {
        let views = SessionComparison(sources: sources)
        var session = self
        session.discrepancyCount = endedAt == nil ? views.discrepancyCount : 0
        guard case .object(var members) = session.json(signature: sources.verdict) else {
            return .null
        }
        let kept = try await simulator.archivedTokens(ofSession: id, in: workspace)
        members.append(.init("family", Self.familyJSON(sources)))
        members.append(.init("views", .array(views.fields.map(\.json))))
        members.append(
            .init(
                "disagreements",
                .array(
                    views.discrepancies.map { fact, disagreement in disagreement.json(of: fact) })))
        members.append(.init("lastAnswer", sources.lastResponse?.json ?? .null))
        let lineage = sources.lineage
        members.append(.init("keptTokens", .array(kept.map { $0.json(lineage) })))
        return .object(members)
    }

    private static func familyJSON(_ sources: SessionSources) -> JSON {
        guard let known = sources.serverState?.session else { return .null }
        return [
            "id": .string(known.id), "generation": JSON(known.generation),
            "revokedAt": JSON(known.revokedAt?.iso8601),
            "revokedBecause": JSON(known.revocationReason),
            "refreshTokens": .array(
                (sources.serverState?.issuedTokens ?? []).map { token in
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

extension ComparedField {
    fileprivate var json: JSON {
        [
            "fact": .string(id),
            "stored": JSON(deviceValue.content?.displayText),
            "claimed": JSON(tokenValue.content?.displayText),
            "known": JSON(serverValue.content?.displayText),
            "agrees": discrepancy != nil
                ? false : isAgreed ? true : .null,
        ]
    }
}

extension Discrepancy {
    fileprivate func json(of fact: ComparedField) -> JSON {
        [
            "fact": .string(fact.id), "kind": .string(kind.rawValue),
            "odd": .string(outlier.rawValue),
            "stored": JSON(fact.deviceValue.content?.displayText),
            "claimed": JSON(fact.tokenValue.content?.displayText),
            "known": JSON(fact.serverValue.content?.displayText),
            "why": .string(explanation), "mend": .string(fix),
        ]
    }
}

extension SessionObservation {
    /// What was asked and heard.
    var json: JSON {
        [
            "at": .string(at.iso8601), "exchange": .string(exchange),
            "call": .string(call), "status": JSON(status),
            "accepted": isAccepted.map(JSON.bool) ?? .null,
        ]
    }
}

extension ArchivedToken {
    /// Named by its generation as the device counts, and as its server does.
    fileprivate func json(_ lineage: Lineage) -> JSON {
        let name = lineage.generations.name(of: self)
        return [
            "number": JSON(number), "kind": .string(kind.rawValue),
            "generation": JSON(generation), "name": .string(name.label),
            "serverGeneration": JSON(lineage.serverToken(name)?.generation),
            "branch": .string(origin.rawValue),
            "masked": .string(summary.maskedValue),
            "expiresAt": JSON(summary.expiresAt?.iso8601),
            "exchange": JSON(exchange),
        ]
    }
}
