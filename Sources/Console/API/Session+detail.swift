import Backend
import FoundationEssentials
import Inspection
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
        members.append(.init("comparison", .array(comparison.fields.map(\.json))))
        members.append(
            .init(
                "discrepancies",
                .array(
                    comparison.discrepancies.map { field, discrepancy in discrepancy.json(of: field)
                    })))
        members.append(.init("lastResponse", sources.lastResponse?.json ?? .null))
        let lineage = sources.lineage
        members.append(.init("archivedTokens", .array(archivedTokens.map { $0.json(lineage) })))
        return .object(members)
    }

    private static func familyJSON(_ sources: SessionSources) -> JSON {
        guard let family = sources.serverState?.session else { return .null }
        return [
            "id": .string(family.id), "generation": JSON(family.generation),
            "revokedAt": JSON(family.revokedAt?.iso8601),
            "revocationReason": JSON(family.revocationReason),
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
            "field": .string(id),
            "device": JSON(deviceValue.content?.displayText),
            "token": JSON(tokenValue.content?.displayText),
            "server": JSON(serverValue.content?.displayText),
            "agrees": discrepancy != nil
                ? false : isAgreed ? true : .null,
        ]
    }
}

extension Discrepancy {
    fileprivate func json(of field: ComparedField) -> JSON {
        [
            "field": .string(field.id), "kind": .string(kind.rawValue),
            "outlier": .string(outlier.rawValue),
            "device": JSON(field.deviceValue.content?.displayText),
            "token": JSON(field.tokenValue.content?.displayText),
            "server": JSON(field.serverValue.content?.displayText),
            "explanation": .string(explanation), "fix": .string(fix),
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
            "origin": .string(origin.rawValue),
            "masked": .string(summary.maskedValue),
            "expiresAt": JSON(summary.expiresAt?.iso8601),
            "exchange": JSON(exchange),
        ]
    }
}
