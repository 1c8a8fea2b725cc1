/// Stored, claimed, known: the three views of one session.
struct SessionComparisonModel: Encodable, Sendable {
    /// `3 of 8 disagree`, `All agree`.
    var summaryText: String
    /// Whether something disagrees.
    var hasDiscrepancies: Bool
    /// `on the phone, now`.
    var deviceNote: String
    var tokenNote: String
    /// `by the server, asked 14:35:22`.
    var serverNote: String
    var rows: [Row]

    struct Row: Encodable, Sendable {
        /// The end of its test id: `state`.
        var fieldID: String
        var name: String
        var cells: [Cell]
        /// `agree`, `odd` or `lone`.
        var kind: String
        /// `agree`, `disagree` or nothing, for who does not see the mark.
        var agrees: Bool
        var differs: Bool
        /// The one line below a disagreement; nil without one.
        var explanation: String?
        /// Its name in the API.
        var discrepancyKind: String?
    }

    struct Cell: Encodable, Sendable {
        /// `Stored`, `Claimed`, `Known`.
        var sourceName: String
        /// `stored`, `claimed`, `known`.
        var sourceID: String
        var text: String
        /// `text` uncut, for its tooltip.
        var fullText: String
        var isCode: Bool
        /// The odd one: bold, with a triangle.
        var isOutlier: Bool
        /// Not held, or not asked.
        var isDim: Bool
        /// The one value a phone shows of an agreeing fact.
        var isCompactValue: Bool
    }
}

extension SessionComparisonModel {
    init(_ views: SessionComparison, askedAt: String?, isEmbedded: Bool) {
        let facts = views.fields
        let odd = facts.filter { $0.discrepancy != nil }
        let known =
            isEmbedded
            ? "by the server, just now"
            : askedAt.map { "by the server, heard \($0)" } ?? "by the server, not asked yet"
        self.init(
            summaryText: odd.isEmpty
                ? "Nothing disagrees"
                : "\(odd.count) of \(facts.count) disagree" + Self.uncountedText(odd),
            hasDiscrepancies: !odd.isEmpty,
            deviceNote: views.sources.isLive ? "on the phone, now" : "on the phone, at the end",
            tokenNote: "by the access token", serverNote: known, rows: facts.map(Row.init))
    }
}

extension SessionComparisonModel {
    /// Why lists do not mark a session of which something disagrees.
    private static func uncountedText(_ odd: [ComparedField]) -> String {
        let plain = odd.filter { $0.discrepancy?.isCounted == false }.count
        if plain == 0 { return "" }
        return plain == odd.count ? ", not counted in lists" : ", \(plain) not counted in lists"
    }
}

extension SessionComparisonModel.Row {
    init(_ fact: ComparedField) {
        let sides: [(Discrepancy.Source, SourceValue)] = [
            (.device, fact.deviceValue), (.token, fact.tokenValue), (.server, fact.serverValue),
        ]
        // The one that says more than is compared, if one does.
        let said = sides.filter { $0.1.content != nil }
        let short = (said.last { $0.1.displayText != $0.1.content?.compared } ?? said.last)?.0
        self.init(
            fieldID: fact.id, name: fact.name,
            cells: sides.map { column, side in
                SessionComparisonModel.Cell(
                    sourceName: column.rawValue.capitalizedFirst, sourceID: column.rawValue,
                    text: side.content?.isCode == true
                        ? Format.truncatedMiddle(side.displayText, 22) : side.displayText,
                    fullText: side.displayText, isCode: side.content?.isCode ?? false,
                    isOutlier: fact.discrepancy?.outlier == column, isDim: side.content == nil,
                    isCompactValue: short == column)
            }, kind: fact.discrepancy != nil ? "odd" : fact.isAgreed ? "agree" : "lone",
            agrees: fact.isAgreed, differs: fact.discrepancy != nil,
            explanation: fact.discrepancy.map { "\($0.explanation) \($0.fix)" },
            discrepancyKind: fact.discrepancy?.kind.rawValue)
    }
}
