import Inspection
import Simulator
import Web

extension FamilyModel {
    /// `generations` contains the refresh tokens that can be used again.
    init(
        _ family: Family, of session: Session, id: String?, generations: TokenGenerations,
        canRefresh: Bool, hasRefreshCall: Bool
    ) {
        let hasFamily = session.refreshToken != nil && !family.nodes.isEmpty
        let layout = FamilyLayout(family: family)
        self.init(
            isAvailable: hasFamily, familyID: id,
            shortFamilyID: id.map { Format.truncatedMiddle($0, 13) } ?? "",
            wideDrawing: hasFamily ? layout.makeWideDrawing() : nil,
            compactDrawing: hasFamily ? layout.makeCompactDrawing() : nil,
            accessibleSteps: Self.accessibleSentences(family).map(AccessibleStep.init),
            anyTests: !family.branches.isEmpty,
            tests: family.branches.enumerated().map { index, branch in
                TestEntry(
                    id: "t\(index)", at: branch.at.iso8601, time: Format.timeOfDay(branch.at),
                    text: branch.text, tone: branch.endsFamily ? "bad" : "",
                    exchangeURL: branch.exchange.map { Links.exchange($0) })
            }.reversed(), buttons: nil, unavailableReason: nil)
        guard hasFamily else { return }
        guard hasRefreshCall else {
            unavailableReason = "The app has no refresh call."
            return
        }
        let sessionID = session.id
        let reusable = Self.reusableTokens(generations)
        let last = reusable.last { $0.name.letter.isEmpty } ?? reusable.last
        let canTest = canRefresh && session.endedAt == nil
        buttons = Buttons(
            concurrentAction: canTest ? Links.testConcurrentRefresh(sessionID) : nil,
            dropAction: canTest ? Links.testDroppedResponse(sessionID) : nil,
            replayAction: reusable.isEmpty ? nil : Links.testTokenReuse(sessionID),
            reusableTokens: reusable.map { named in
                ChoiceModel(
                    value: String(named.token?.number ?? 0), label: named.name.lowercaseTitle,
                    chosen: named.name == last?.name)
            })
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

    private static func accessibleSentences(_ family: Family) -> [String] {
        var sentences = family.nodes.map { node in
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
        sentences += family.branches.map { branch in
            "\(branch.title), \(branch.note)"
                + (branch.unheldResult.map {
                    "; it issued \($0.label), which this device does not store"
                } ?? "") + (branch.endsFamily ? "; it revoked the family" : "")
        }
        if let end = family.end {
            sentences.append(
                "\(end.title.capitalizedFirst) \(Format.dateTime(end.at))"
                    + (end.reason.map { ": \($0)" } ?? ""))
        }
        return sentences
    }
}
