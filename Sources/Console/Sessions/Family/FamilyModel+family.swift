import Simulator
import Web

extension FamilyModel {
    /// `generations` have the refresh tokens that can be used again.
    init(
        _ family: Family, of session: Session, id: String?, generations: Generations,
        canRefresh: Bool, hasCall: Bool
    ) {
        let isThere = session.refreshToken != nil && !family.nodes.isEmpty
        let drawing = FamilyDrawing(family: family)
        self.init(
            isThere: isThere, familyID: id, familyShort: id.map { Words.middle($0, 13) } ?? "",
            wide: isThere ? drawing.wide() : nil, compact: isThere ? drawing.compact() : nil,
            spokenSteps: Self.spoken(family).map(Spoken.init), anyTries: !family.branches.isEmpty,
            tries: family.branches.enumerated().map { index, branch in
                Try(
                    id: "t\(index)", at: branch.at.iso8601, time: Words.clock(branch.at),
                    text: branch.words, tone: branch.isFatal ? "bad" : "",
                    tryURL: branch.exchange.map { Links.exchange($0) })
            }.reversed(), buttons: nil, noButtons: nil)
        guard isThere else { return }
        guard hasCall else {
            noButtons = "The app has no call to refresh with."
            return
        }
        let page = session.id
        let old = Self.old(generations)
        let last = old.last { $0.name.letter.isEmpty } ?? old.last
        let live = canRefresh && session.endedAt == nil
        buttons = Buttons(
            raceAction: live ? Links.session(page, "race") : nil,
            loseAction: live ? Links.session(page, "lose") : nil,
            replayAction: old.isEmpty ? nil : Links.session(page, "replay"),
            tokens: old.map { named in
                ChoiceModel(
                    value: String(named.token?.number ?? 0), words: named.name.words,
                    chosen: named.name == last?.name)
            })
    }

    /// What is kept and not stored now, each once.
    private static func old(_ generations: Generations) -> [Generations.Named] {
        var seen = Set(generations.tokens.filter { $0.token == nil }.map(\.name))
        return generations.tokens.filter { seen.insert($0.name).inserted }.sorted {
            ($0.name.generation, $0.name.letter.count, $0.name.letter) < (
                $1.name.generation, $1.name.letter.count, $1.name.letter
            )
        }
    }

    private static func spoken(_ family: Family) -> [String] {
        var sentences = family.nodes.map { node in
            var parts = ["Generation \(node.generation): \(node.title), " + Words.moment(node.at)]
            if let theirs = node.theirs { parts.append(theirs) }
            if let masked = node.masked { parts.append("token \(masked)") }
            if let used = node.usedAt { parts.append("used \(Words.moment(used))") }
            if let reused = node.reusedAt { parts.append("used again \(Words.moment(reused))") }
            parts.append(node.kind == .used ? "retired" : node.kind.rawValue)
            return parts.joined(separator: ", ")
        }
        sentences += family.branches.map { branch in
            "\(branch.title), \(branch.note)"
                + (branch.aside.map { "; it brought \($0.label), which this device does not hold" }
                    ?? "") + (branch.isFatal ? "; it ended the family" : "")
        }
        if let end = family.end {
            sentences.append(
                "\(end.title.capitalizedFirst) \(Words.moment(end.at))"
                    + (end.because.map { ": \($0)" } ?? ""))
        }
        return sentences
    }
}
