import Inspection
import Simulator
import Templates
import Web

extension Family {
    /// The family as a drawing and as an equivalent list, with the buttons of the refresh tests
    /// (`sessions/family`).
    ///
    /// `id` is the family's at the server, nil if unknown; `generations` contains the refresh
    /// tokens that can be used again.
    func model(
        of session: Session, id: String?, generations: TokenGenerations, canRefresh: Bool,
        hasRefreshCall: Bool
    ) -> TemplateModel {
        let hasFamily = session.refreshToken != nil && !nodes.isEmpty
        let layout = FamilyLayout(family: self)
        return [
            "isAvailable": hasFamily, "familyID": id,
            "shortFamilyID": id.map { Format.truncatedMiddle($0, 13) },
            "wideDrawing": hasFamily ? layout.makeWideDrawing() : nil,
            "compactDrawing": hasFamily ? layout.makeCompactDrawing() : nil,
            "accessibleSteps": sentences,
            "buttons": hasFamily && hasRefreshCall
                ? Self.buttons(session, generations, canRefresh: canRefresh) : nil,
            "unavailableReason": hasFamily && !hasRefreshCall
                ? "The app has no refresh call." : nil,
        ]
    }

    /// The tests that are possible: of the current refresh token, and of old ones.
    private static func buttons(
        _ session: Session, _ generations: TokenGenerations, canRefresh: Bool
    ) -> TemplateModel {
        let reusable = reusableTokens(generations)
        let last = reusable.last { $0.name.letter.isEmpty } ?? reusable.last
        let canTest = canRefresh && session.endedAt == nil
        return [
            "concurrentAction": canTest ? Links.testConcurrentRefresh(session.id) : nil,
            "dropAction": canTest ? Links.testDroppedResponse(session.id) : nil,
            "replayAction": reusable.isEmpty ? nil : Links.testTokenReuse(session.id),
            "reusableTokens": reusable.map { named in
                ChoiceModel(
                    value: String(named.token?.number ?? 0), label: named.name.title,
                    chosen: named.name == last?.name)
            },
        ]
    }

    /// The archived tokens that the device does not hold now, each once.
    private static func reusableTokens(_ generations: TokenGenerations) -> [TokenGenerations
        .NamedToken]
    {
        var seen = Set(generations.tokens.filter { $0.token == nil }.map(\.name))
        return generations.tokens.filter { seen.insert($0.name).inserted }.sorted {
            ($0.name.generation, $0.name.letter.count, $0.name.letter) < (
                $1.name.generation, $1.name.letter.count, $1.name.letter
            )
        }
    }

    /// Every generation and branch as text, for screen readers.
    var sentences: [String] {
        var sentences = nodes.map { node in
            var parts = [
                "Generation \(node.generation): \(node.title), " + Format.dateTime(node.at)
            ]
            if let serverLabel = node.serverLabel { parts.append(serverLabel) }
            if let masked = node.masked { parts.append("token \(masked)") }
            if let used = node.usedAt { parts.append("used \(Format.dateTime(used))") }
            if let reused = node.reusedAt { parts.append("reused \(Format.dateTime(reused))") }
            parts.append(node.kind == .used ? "retired" : node.kind.rawValue)
            return parts.joined(separator: ", ")
        }
        sentences += branches.map { branch in
            "\(branch.title), \(branch.note)"
                + (branch.unheldResult.map {
                    "; it issued \($0.label), which this device does not store"
                } ?? "") + (branch.endsFamily ? "; it revoked the family" : "")
        }
        if let end {
            sentences.append(
                "\(end.title.capitalizedFirst) \(Format.dateTime(end.at))"
                    + (end.reason.map { ": \($0)" } ?? ""))
        }
        return sentences
    }
}
