import Traffic
import Web

/// Builds the model of the comparison page.
struct DiffBuilder {
    let services: Services
    let frames: FrameBuilder
    let old: ExchangeDetail
    let new: ExchangeDetail
    let csrf: String

    func build() async throws -> DiffModel {
        let diff = ExchangeDiff(
            old, try await services.unmaskedTokens(of: old), new,
            try await services.unmaskedTokens(of: new))
        let a = old.exchange.id
        let b = new.exchange.id
        return DiffModel(
            frame: try await frames.frame(
                "Compare", navItem: "traffic", workspace: old.exchange.workspace, csrfToken: csrf,
                partURL: Links.partURL(Links.exchangeDiff(a, b), [])),
            swapURL: Links.exchangeDiff(b, a),
            sides: [side(old), side(new)], isUnchanged: diff.isEqualExceptTiming,
            sections: diff.sections.map(section)
        )
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
            status: exchange.status.map(Format.status) ?? "no answer",
            statusTone: ExchangeRowModel.tone(exchange.status))
    }

    private func section(_ section: ExchangeDiff.Section) -> DiffModel.Section {
        let count = section.rows.count
        let note =
            count == 0 && section.unchangedCount == 0
            ? "none on either side"
            : count == 0
                ? "the same"
                : "\(Format.count(count, "difference"))"
                    + (section.unchangedCount > 0 ? ", \(section.unchangedCount) the same" : "")
        return DiffModel.Section(
            heading: section.title, note: note, hasRows: count > 0,
            rows: section.rows.map { row in
                DiffModel.Row(
                    path: row.path.isEmpty ? "whole" : row.path, kind: row.kind.rawValue,
                    oldText: row.old ?? "–", newText: row.new ?? "–", hasOld: row.old != nil,
                    hasNew: row.new != nil)
            })
    }
}
