import Inspection
import Web

/// The comparison table of device, token and server for one session.
struct SessionComparisonModel: Encodable, Sendable {
    /// `3 of 8 out of sync`, `All in sync`.
    var summaryText: String
    /// Whether a discrepancy exists.
    var hasDiscrepancies: Bool
    /// `Now`.
    var deviceNote: String
    var tokenNote: String
    /// `Checked 14:35:22`.
    var serverNote: String
    var rows: [Row]

    struct Row: Encodable, Sendable {
        /// The end of its test id: `state`.
        var fieldID: String
        var name: String
        var cells: [Cell]
        /// `agreed`, `mismatch` or `single`.
        var kind: String
        /// `agree`, `disagree` or nothing, for screen readers.
        var agrees: Bool
        var differs: Bool
        /// The line below a discrepancy; nil without one.
        var explanation: String?
        /// The discrepancy's name in the API.
        var discrepancyKind: String?
    }

    struct Cell: Encodable, Sendable {
        /// `On device`, `In token`, `On server`.
        var sourceName: String
        /// `stored`, `claimed`, `known`.
        var sourceID: String
        var text: String
        /// `text` untruncated, for its tooltip.
        var fullText: String
        var isCode: Bool
        /// The deviating value: bold, with a triangle.
        var isOutlier: Bool
        /// No value, or not checked.
        var isDim: Bool
        /// The only value that a phone shows of an agreeing field.
        var isCompactValue: Bool
    }
}

extension SessionComparisonModel {
    init(_ comparison: SessionComparison, askedAt: String?, isEmbedded: Bool) {
        let fields = comparison.fields
        let differing = fields.filter { $0.discrepancy != nil }
        let serverNote =
            isEmbedded ? "Checked just now" : askedAt.map { "Checked \($0)" } ?? "Not checked"
        self.init(
            summaryText: differing.isEmpty
                ? "All in sync"
                : "\(differing.count) of \(fields.count) out of sync"
                    + Self.uncountedText(differing), hasDiscrepancies: !differing.isEmpty,
            deviceNote: comparison.sources.isLive ? "Now" : "When it ended",
            tokenNote: "Access token", serverNote: serverNote, rows: fields.map(Row.init))
    }
}

extension SessionComparisonModel {
    /// How many discrepancies lists do not count.
    private static func uncountedText(_ differing: [ComparedField]) -> String {
        let uncounted = differing.filter { $0.discrepancy?.isCounted == false }.count
        if uncounted == 0 { return "" }
        return uncounted == differing.count
            ? ", not counted in lists" : ", \(uncounted) not counted in lists"
    }
}

extension SessionComparisonModel.Row {
    init(_ field: ComparedField) {
        let sources: [(Discrepancy.Source, SourceValue)] = [
            (.device, field.deviceValue), (.token, field.tokenValue), (.server, field.serverValue),
        ]
        // The value whose display text has more than is compared, if there is one.
        let present = sources.filter { $0.1.content != nil }
        let compactSource =
            (present.last { $0.1.displayText != $0.1.content?.compared } ?? present.last)?.0
        self.init(
            fieldID: field.id, name: field.name,
            cells: sources.map { source, value in
                SessionComparisonModel.Cell(
                    sourceName: source.label, sourceID: source.rawValue,
                    text: value.content?.isCode == true
                        ? Format.truncatedMiddle(value.displayText, 22) : value.displayText,
                    fullText: value.displayText, isCode: value.content?.isCode ?? false,
                    isOutlier: field.discrepancy?.outlier == source, isDim: value.content == nil,
                    isCompactValue: compactSource == source)
            }, kind: field.discrepancy != nil ? "mismatch" : field.isAgreed ? "agreed" : "single",
            agrees: field.isAgreed, differs: field.discrepancy != nil,
            explanation: field.discrepancy.map { "\($0.explanation) \($0.fix)" },
            discrepancyKind: field.discrepancy?.kind.rawValue)
    }
}
