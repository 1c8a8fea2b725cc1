import Simulator
import Web

extension FamilyModel {
    /// `generations` are those whose old refresh tokens are kept.
    init(
        _ family: Family, of session: Session, id: String?,
        generations: [Int], canRefresh: Bool, hasCall: Bool
    ) {
        let isThere = session.refreshToken != nil && !family.nodes.isEmpty
        let drawing = FamilyDrawing(family: family)
        self.init(
            isThere: isThere, familyID: id,
            familyShort: id.map { Words.middle($0, 13) } ?? "",
            wide: isThere ? drawing.wide() : nil,
            compact: isThere ? drawing.compact() : nil,
            spokenSteps: Self.spoken(family).map(Spoken.init),
            anyTries: !family.branches.isEmpty,
            tries: family.branches.enumerated().map { index, branch in
                Try(
                    id: "t\(index)", at: branch.at.iso8601,
                    time: Words.clock(branch.at), text: branch.words,
                    tone: branch.isFatal ? "bad" : "",
                    tryURL: branch.exchange.map { Links.exchange($0) })
            }.reversed(),
            buttons: nil, noButtons: nil)
        guard isThere else { return }
        guard hasCall else {
            noButtons = "The app has no call to refresh with."
            return
        }
        let page = session.id
        let last = generations.max()
        let live = canRefresh && session.endedAt == nil
        buttons = Buttons(
            raceAction: live ? Links.session(page, "race") : nil,
            loseAction: live ? Links.session(page, "lose") : nil,
            replayAction: generations.isEmpty
                ? nil : Links.session(page, "replay"),
            generations: generations.sorted().map { generation in
                ChoiceModel(
                    value: String(generation),
                    words: "generation "
                        + String(
                            family.nodes.first {
                                $0.generation == generation
                            }?.number ?? generation),
                    chosen: generation == last)
            })
    }

    private static func spoken(_ family: Family) -> [String] {
        var sentences = family.nodes.map { node in
            var parts = [
                "Generation \(node.number): \(node.title), "
                    + Words.clock(node.at)
            ]
            if let masked = node.masked { parts.append("token \(masked)") }
            if let used = node.usedAt {
                parts.append("used \(Words.clock(used))")
            }
            if let reused = node.reusedAt {
                parts.append("used again \(Words.clock(reused))")
            }
            parts.append(node.kind == .used ? "retired" : node.kind.rawValue)
            return parts.joined(separator: ", ")
        }
        sentences += family.branches.map { branch in
            "\(branch.title), \(branch.note)"
                + (branch.made.map { "; the server made generation \($0)" }
                    ?? "")
                + (branch.isFatal ? "; it ended the family" : "")
        }
        if let end = family.end {
            sentences.append(
                "\(end.title.capitalizedFirst) \(Words.clock(end.at))"
                    + (end.because.map { ": \($0)" } ?? ""))
        }
        return sentences
    }
}
