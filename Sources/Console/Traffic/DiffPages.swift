import Templates
import Traffic
import Web

/// `/traffic/diff?a=…&b=…`: the differences between two exchanges.
struct DiffPages: Sendable {
    let services: Services

    var routes: [Route] { [Route(.get, Links.compareTraffic, handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        // The list's checkboxes share one name.
        let pickedIDs = context.target.query.filter { $0.name == "pick" }.map(\.value)
        guard pickedIDs.isEmpty, !context.target.query.isEmpty else {
            guard pickedIDs.count == 2 else {
                throw Problem(
                    status: 400, code: "exchange-pair-required", title: "Select two requests",
                    detail: "\(Format.count(pickedIDs.count)) selected. Go back and "
                        + "select two in the list.")
            }
            // The list has the newer exchange first.
            return .redirect(to: Links.exchangeDiff(pickedIDs[1], pickedIDs[0]))
        }
        let parameters = try context.query(allowing: ["a", "b", "part"])
        let workspace = try services.workspace(of: context)
        let pair = try await services.exchangePair(parameters["a"], parameters["b"], in: workspace)
        return try await services.respond(
            to: context, try await page(old: pair.0, new: pair.1), "traffic/diff")
    }

    private func page(old: ExchangeDetail, new: ExchangeDetail) async throws -> Page {
        let diff = try await services.diff(old, new)
        let (a, b) = (old.exchange.id, new.exchange.id)
        return Page(
            title: "Compare", navItem: "traffic", url: Links.exchangeDiff(a, b),
            model: [
                "swapURL": Links.exchangeDiff(b, a), "sides": [side(old), side(new)],
                "isUnchanged": diff.isEqualExceptTiming, "sections": diff.sections.map(section),
            ])
    }

    private func side(_ detail: ExchangeDetail) -> TemplateModel {
        let exchange = detail.exchange
        return [
            "sideTitle": services.title(of: detail), "sideURL": Links.exchange(exchange.id),
            "at": exchange.startedAt.iso8601,
            "time": Format.timeOfDayMilliseconds(exchange.startedAt),
            "status": exchange.status.map(Format.status) ?? "No response",
            "statusTone": ExchangeRowModel.tone(exchange.status),
        ]
    }

    private func section(_ section: ExchangeDiff.Section) -> TemplateModel {
        let count = section.rows.count
        let note =
            count == 0 && section.unchangedCount == 0
            ? "Absent in both"
            : count == 0
                ? "Unchanged"
                : "\(Format.count(count, "difference"))"
                    + (section.unchangedCount > 0 ? ", \(section.unchangedCount) unchanged" : "")
        return [
            "heading": section.title, "note": note,
            "rows": section.rows.map { row -> TemplateModel in
                [
                    "path": row.path.isEmpty ? "Entire body" : row.path, "kind": row.kind.rawValue,
                    "old": row.old, "new": row.new,
                ]
            },
        ]
    }
}
