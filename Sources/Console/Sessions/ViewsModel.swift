/// Stored, claimed, known: the three views of one session.
struct ViewsModel: Encodable, Sendable {
    /// `3 of 8 disagree`, `All agree`.
    var sumText: String
    /// Whether something disagrees.
    var alarmed: Bool
    /// `on the phone, now`.
    var storedNote: String
    var claimedNote: String
    /// `by the server, asked 14:35:22`.
    var knownNote: String
    var rows: [Row]

    struct Row: Encodable, Sendable {
        /// The end of its test id: `state`.
        var fact: String
        var name: String
        var cells: [Cell]
        /// `agree`, `odd` or `lone`.
        var kind: String
        /// `agree`, `disagree` or nothing, for who does not see the mark.
        var agrees: Bool
        var differs: Bool
        /// The one line below a disagreement; nil without one.
        var why: String?
        /// Its name in the API.
        var disagreement: String?
    }

    struct Cell: Encodable, Sendable {
        /// `Stored`, `Claimed`, `Known`.
        var column: String
        /// `stored`, `claimed`, `known`.
        var columnID: String
        var text: String
        /// `text` uncut, for its tooltip.
        var full: String
        var isCode: Bool
        /// The odd one: bold, with a triangle.
        var isOdd: Bool
        /// Not held, or not asked.
        var isDim: Bool
        /// The one value a phone shows of an agreeing fact.
        var isShort: Bool
    }
}

extension ViewsModel {
    init(_ views: ThreeViews, askedAt: String?, isEmbedded: Bool) {
        let facts = views.facts
        let odd = facts.filter { $0.disagreement != nil }
        let known =
            isEmbedded
            ? "by the server, just now"
            : askedAt.map { "by the server, heard \($0)" } ?? "by the server, not asked yet"
        self.init(
            sumText: odd.isEmpty
                ? "Nothing disagrees"
                : "\(odd.count) of \(facts.count) disagree" + Self.uncounted(odd),
            alarmed: !odd.isEmpty,
            storedNote: views.evidence.isLive ? "on the phone, now" : "on the phone, at the end",
            claimedNote: "by the access token", knownNote: known, rows: facts.map(Row.init))
    }
}

extension ViewsModel {
    /// Why lists do not mark a session of which something disagrees.
    private static func uncounted(_ odd: [ViewFact]) -> String {
        let plain = odd.filter { $0.disagreement?.isDrift == false }.count
        if plain == 0 { return "" }
        return plain == odd.count ? ", not counted in lists" : ", \(plain) not counted in lists"
    }
}

extension ViewsModel.Row {
    init(_ fact: ViewFact) {
        let sides: [(Disagreement.Column, Side)] = [
            (.stored, fact.stored), (.claimed, fact.claimed), (.known, fact.known),
        ]
        // The one that says more than is compared, if one does.
        let said = sides.filter { $0.1.said != nil }
        let short = (said.last { $0.1.shown != $0.1.said?.compared } ?? said.last)?.0
        self.init(
            fact: fact.id, name: fact.name,
            cells: sides.map { column, side in
                ViewsModel.Cell(
                    column: column.rawValue.capitalizedFirst, columnID: column.rawValue,
                    text: side.said?.isCode == true ? Words.middle(side.shown, 22) : side.shown,
                    full: side.shown, isCode: side.said?.isCode ?? false,
                    isOdd: fact.disagreement?.odd == column, isDim: side.said == nil,
                    isShort: short == column)
            }, kind: fact.disagreement != nil ? "odd" : fact.isAgreed ? "agree" : "lone",
            agrees: fact.isAgreed, differs: fact.disagreement != nil,
            why: fact.disagreement.map { "\($0.why) \($0.mend)" },
            disagreement: fact.disagreement?.kind.rawValue)
    }
}
