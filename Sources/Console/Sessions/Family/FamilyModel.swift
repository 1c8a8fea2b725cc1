import Inspection
import Simulator
import Web

/// The refresh family as a drawing and as an equivalent list, with the buttons of the refresh
/// tests.
struct FamilyModel: Encodable, Sendable {
    /// Whether the session has a refresh family; without one the page shows a placeholder.
    var isAvailable: Bool
    /// The family's id at the server; nil if unknown.
    var familyID: String?
    /// `familyID`, shortened.
    var shortFamilyID: String
    var wideDrawing: Drawing?
    var compactDrawing: Drawing?
    /// Every generation and branch as text, for screen readers.
    var accessibleSteps: [String]
    /// The refresh tests, the newest first.
    var tests: [HistoryEntryModel]
    var buttons: Buttons?
    /// Why no test is possible; nil if one is.
    var unavailableReason: String?

    struct Drawing: Encodable, Sendable {
        var width: Int
        var height: Int
        var lines: [Line] = []
        var boxes: [Box] = []
        var circles: [Circle] = []
        var labels: [Label] = []
    }

    struct Line: Encodable, Sendable {
        /// SVG path data.
        var d: String
        /// `turn` (a rotation), `reuse` (dashed), `end`, `earlier` (dotted).
        var kind: String
        var hasArrowhead: Bool
    }

    struct Box: Encodable, Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        /// `bad` or `warn`.
        var tone: String
    }

    struct Circle: Encodable, Sendable {
        var cx: Int
        var cy: Int
        var textY: Int
        var number: String
        /// `used`, `current`, `ended`, `unheld`.
        var kind: String
    }

    struct Label: Encodable, Sendable {
        var x: Int
        var y: Int
        var text: String
        /// `title`, `dim`, `token`, `bad`, `warn`.
        var kind: String
        /// `start` or `middle`.
        var anchor: String
        /// The time in `text` as a machine-readable timestamp.
        var timestamp: String?
    }

    struct Buttons: Encodable, Sendable {
        /// POST; nil if the device holds no refresh token.
        var concurrentAction: String?
        var dropAction: String?
        /// POST with `token`; nil if no old token is stored.
        var replayAction: String?
        var reusableTokens: [ChoiceModel]
    }
}

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
            accessibleSteps: Self.accessibleSentences(family),
            tests: family.branches.enumerated().map { index, branch in
                HistoryEntryModel(
                    id: "t\(index)", branch.at, branch.text,
                    tone: branch.endsFamily ? "bad" : "", exchange: branch.exchange)
            }.reversed(), buttons: nil, unavailableReason: nil)
        guard hasFamily else { return }
        guard hasRefreshCall else {
            unavailableReason = "The app has no refresh call."
            return
        }
        let reusable = Self.reusableTokens(generations)
        let last = reusable.last { $0.name.letter.isEmpty } ?? reusable.last
        let canTest = canRefresh && session.endedAt == nil
        buttons = Buttons(
            concurrentAction: canTest ? Links.testConcurrentRefresh(session.id) : nil,
            dropAction: canTest ? Links.testDroppedResponse(session.id) : nil,
            replayAction: reusable.isEmpty ? nil : Links.testTokenReuse(session.id),
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
