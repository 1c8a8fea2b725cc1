import Backend
import FoundationEssentials
import Simulator
import Web

extension Session {
    /// The detail representation, with the refresh family and the discrepancies.
    func detailJSON(_ sources: SessionSources, _ simulator: Simulator) async throws -> JSON {
        let comparison = SessionComparison(sources: sources)
        var session = self
        session.discrepancyCount = endedAt == nil ? comparison.discrepancyCount : 0
        guard case .object(var members) = session.json(signature: sources.verdict) else {
            return .null
        }
        let archivedTokens = try await simulator.archivedTokens(ofSession: id, in: workspace)
        members.append(.init("family", Self.familyJSON(sources)))
        members.append(.init("views", .array(comparison.fields.map(\.json))))
        members.append(
            .init(
                "disagreements",
                .array(
                    comparison.discrepancies.map { field, discrepancy in discrepancy.json(of: field)
                    })))
        members.append(.init("lastAnswer", sources.lastResponse?.json ?? .null))
        let lineage = sources.lineage
        members.append(.init("keptTokens", .array(archivedTokens.map { $0.json(lineage) })))
        return .object(members)
    }

    private static func familyJSON(_ sources: SessionSources) -> JSON {
        guard let family = sources.serverState?.session else { return .null }
        return [
            "id": .string(family.id), "generation": JSON(family.generation),
            "revokedAt": JSON(family.revokedAt?.iso8601),
            "revokedBecause": JSON(family.revocationReason),
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
    fileprivate func json(of field: ComparedField) -> JSON {
        [
            "fact": .string(field.id), "kind": .string(kind.rawValue),
            "odd": .string(outlier.rawValue),
            "stored": JSON(field.deviceValue.content?.displayText),
            "claimed": JSON(field.tokenValue.content?.displayText),
            "known": JSON(field.serverValue.content?.displayText),
            "why": .string(explanation), "mend": .string(fix),
        ]
    }
}

extension SessionObservation {
    var json: JSON {
        [
            "at": .string(at.iso8601), "exchange": .string(exchange),
            "call": .string(call), "status": JSON(status),
            "accepted": isAccepted.map(JSON.bool) ?? .null,
        ]
    }
}

extension ArchivedToken {
    /// Includes the generation as the device counts it and as the server does.
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
