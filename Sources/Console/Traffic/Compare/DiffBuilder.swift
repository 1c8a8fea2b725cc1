import Traffic
import Web

/// Builds the model of the comparison page.
struct DiffBuilder {
    let services: Services
    let old: ExchangeDetail
    let new: ExchangeDetail

    func build() async throws -> Page<DiffModel> {
        let diff = ExchangeDiff(
            old, try await services.exchanges.unmaskedTokens(of: old), new,
            try await services.exchanges.unmaskedTokens(of: new))
        let a = old.exchange.id
        let b = new.exchange.id
        return Page(
            "Compare", navItem: "traffic", partURL: Links.partURL(Links.exchangeDiff(a, b), []),
            DiffModel(
                swapURL: Links.exchangeDiff(b, a), sides: [side(old), side(new)],
                isUnchanged: diff.isEqualExceptTiming, sections: diff.sections.map(section)))
    }

    private func side(_ detail: ExchangeDetail) -> DiffModel.Side {
        let exchange = detail.exchange
        let base = services.baseURL(
            ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace)
        return DiffModel.Side(
            sideTitle: exchange.method + " "
                + detail.masked(ExchangeRowModel.path(exchange, base: base)),
            sideURL: Links.exchange(exchange.id), at: exchange.startedAt.iso8601,
            time: Format.timeOfDayMilliseconds(exchange.startedAt),
            status: exchange.status.map(Format.status) ?? "No response",
            statusTone: ExchangeRowModel.tone(exchange.status))
    }

    private func section(_ section: ExchangeDiff.Section) -> DiffModel.Section {
        let count = section.rows.count
        let note =
            count == 0 && section.unchangedCount == 0
            ? "Absent in both"
            : count == 0
                ? "Unchanged"
                : "\(Format.count(count, "difference"))"
                    + (section.unchangedCount > 0 ? ", \(section.unchangedCount) unchanged" : "")
        return DiffModel.Section(
            heading: section.title, note: note, hasRows: count > 0,
            rows: section.rows.map { row in
                DiffModel.Row(
                    path: row.path.isEmpty ? "Entire body" : row.path, kind: row.kind.rawValue,
                    oldText: row.old ?? "–", newText: row.new ?? "–", hasOld: row.old != nil,
                    hasNew: row.new != nil)
            })
    }
}

/// A comparison of two exchanges (`traffic/diff`).
struct DiffModel: Encodable, Sendable {
    var swapURL: String
    /// The old exchange, then the new one.
    var sides: [Side]
    var isUnchanged: Bool
    var sections: [Section]

    struct Side: Encodable, Sendable {
        /// `GET /auth/me`.
        var sideTitle: String
        var sideURL: String
        var at: String
        var time: String
        var status: String
        var statusTone: String
    }

    struct Section: Encodable, Sendable {
        var heading: String
        /// `2 differences, 7 unchanged`.
        var note: String
        var hasRows: Bool
        var rows: [Row]
    }

    struct Row: Encodable, Sendable {
        var path: String
        /// `added`, `removed`, `changed`.
        var kind: String
        var oldText: String
        var newText: String
        var hasOld: Bool
        var hasNew: Bool
    }
}
