import Inspection
import Simulator
import Web

/// The comparison table of device, token and server for one session.
struct SessionComparisonModel: Encodable, Sendable {
    /// `3 of 8 out of sync`, `All in sync`.
    var summaryText: String
    /// Whether a discrepancy exists.
    var hasDiscrepancies: Bool
    /// `Now`.
    var deviceNote: String
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
        var agrees: Bool
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
    init(_ comparison: SessionComparison) {
        let fields = comparison.fields
        let sources = comparison.sources
        let discrepancies = fields.compactMap(\.discrepancy)
        let checkedAt = sources.lastResponse.map { "Checked \(Format.dateTime($0.at))" }
        // Lists do not count all of them.
        let uncounted = discrepancies.count { !$0.isCounted }
        let uncountedText =
            switch uncounted {
            case 0: ""
            case discrepancies.count: ", not counted in lists"
            default: ", \(uncounted) not counted in lists"
            }
        self.init(
            summaryText: discrepancies.isEmpty
                ? "All in sync"
                : "\(discrepancies.count) of \(fields.count) out of sync" + uncountedText,
            hasDiscrepancies: !discrepancies.isEmpty,
            deviceNote: sources.isLive ? "Now" : "When it ended",
            serverNote: sources.serverState != nil
                ? "Checked just now" : checkedAt ?? "Not checked", rows: fields.map(Row.init))
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
            agrees: field.isAgreed,
            explanation: field.discrepancy.map { "\($0.explanation) \($0.fix)" },
            discrepancyKind: field.discrepancy?.kind.rawValue)
    }
}
