import Traffic
import Web

/// Gathers what the page of a comparison shows.
struct DiffBuilder {
    let services: Services
    let frames: FrameBuilder
    let old: ExchangeDetail
    let new: ExchangeDetail
    let csrf: String

    func build() async throws -> DiffModel {
        let diff = ExchangeDiff(
            old, try await services.tokens(of: old), new, try await services.tokens(of: new))
        let a = old.exchange.id
        let b = new.exchange.id
        return DiffModel(
            frame: try await frames.frame(
                "Compare", place: "traffic", workspace: old.exchange.workspace, csrf: csrf,
                partURL: Links.part(Links.difference(a, b), [])), swapURL: Links.difference(b, a),
            sides: [side(old), side(new)], isSame: diff.isSame, sections: diff.sections.map(section)
        )
    }

    private func side(_ detail: ExchangeDetail) -> DiffModel.Side {
        let exchange = detail.exchange
        let base = services.base(
            ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace)
        return DiffModel.Side(
            what: exchange.method + " "
                + detail.masked(ExchangeRowModel.path(exchange, base: base)),
            sideURL: Links.exchange(exchange.id), at: exchange.startedAt.iso8601,
            time: Words.clockMilliseconds(exchange.startedAt),
            status: exchange.status.map(Words.status) ?? "no answer",
            statusTone: ExchangeRowModel.tone(exchange.status))
    }

    private func section(_ section: ExchangeDiff.Section) -> DiffModel.Section {
        let count = section.rows.count
        let note =
            count == 0 && section.same == 0
            ? "none on either side"
            : count == 0
                ? "the same"
                : "\(Words.count(count, "difference"))"
                    + (section.same > 0 ? ", \(section.same) the same" : "")
        return DiffModel.Section(
            head: section.title, note: note, anyRows: count > 0,
            rows: section.rows.map { row in
                DiffModel.Row(
                    path: row.path.isEmpty ? "whole" : row.path, kind: row.kind.rawValue,
                    oldText: row.old ?? "–", newText: row.new ?? "–", hasOld: row.old != nil,
                    hasNew: row.new != nil)
            })
    }
}
