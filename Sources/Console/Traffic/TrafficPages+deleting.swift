import Core
import Traffic
import Web

/// Deleting recorded requests: one, those selected in the list, or those that match its filters; and
/// pausing their recording.
extension TrafficPages {
    var deletionRoutes: [Route] {
        [
            Route(.get, Links.clearTraffic, handler: confirmClear),
            Route(.post, Links.clearTraffic, handler: clear),
            Route(.get, Links.deletePickedExchanges, handler: confirmDeletingPicked),
            Route(.post, Links.deletePickedExchanges, handler: deletePicked),
            .page(Links.deleteExchange, handler: confirmDeleting),
            Route(.post, Links.deleteExchange, handler: delete),
            Route(.post, Links.recording, handler: setRecording),
        ]
    }

    // MARK: All that match the filters

    @Sendable private func confirmClear(_ context: RequestContext) async throws -> Response {
        let (query, url) = try await filteredQuery(context)
        let page = try await services.exchanges.list(query)
        let isFiltered = url != Links.clearTraffic
        let count =
            Format.count(page.total, isExact: page.totalIsExact)
            + (page.total == 1 ? " request" : " requests")
        return try await confirm(
            context, count: count, action: url,
            listURL: Links.traffic + url.dropFirst(Links.clearTraffic.count),
            consequence: isFiltered ? "Requests that do not match the filters stay." : nil)
    }

    @Sendable private func clear(_ context: RequestContext) async throws -> Response {
        let (query, url) = try await filteredQuery(context)
        if url == Links.clearTraffic {
            try await services.clearTraffic(in: query.workspace)
        } else {
            try await services.deleteExchanges(query)
        }
        return .redirect(to: Links.traffic)
    }

    /// The filters of the list, and the URL of its deletion with them.
    private func filteredQuery(_ context: RequestContext) async throws -> (ExchangeQuery, String) {
        var reader = QueryReader(context, allowing: ["part"])
        let filters = TrafficFilters(&reader)
        try reader.finish()
        let values = reader.values
        let url = Links.url(Links.clearTraffic, TrafficFilters.names.map { ($0, values[$0]) })
        return (try await query(context, filters).0, url)
    }

    private func confirm(
        _ context: RequestContext, count: String, action: String, listURL: String,
        consequence: String? = nil
    ) async throws -> Response {
        try await services.confirm(
            context, "Delete requests", navItem: "traffic",
            ConfirmModel(
                action: action, question: "Delete \(count)?",
                consequence: [
                    consequence,
                    "Sessions, storage and mail are not affected. New requests are still recorded.",
                ].compactMap(\.self).joined(separator: " "),
                confirmLabel: "Delete \(count)", backURL: listURL))
    }

    // MARK: Selected ones

    /// The list's checkboxes share one name.
    private func pickedIDs(_ context: RequestContext) throws(Problem) -> [String] {
        let ids = context.target.query.filter { $0.name == "pick" }.map(\.value)
        guard !ids.isEmpty else {
            throw Problem(
                status: 400, code: "exchange-required", title: "Select requests",
                detail: "None is selected. Go back and select requests in the list.")
        }
        return ids
    }

    @Sendable private func confirmDeletingPicked(_ context: RequestContext) async throws
        -> Response
    {
        let ids = try pickedIDs(context)
        return try await confirm(
            context, count: Format.count(ids.count, "request"),
            action: Links.url(Links.deletePickedExchanges, ids.map { ("pick", $0) }),
            listURL: Links.traffic)
    }

    @Sendable private func deletePicked(_ context: RequestContext) async throws -> Response {
        try await services.deleteExchanges(
            try pickedIDs(context), in: try services.workspace(of: context))
        return .redirect(to: Links.traffic)
    }

    // MARK: One

    @Sendable private func confirmDeleting(_ context: RequestContext) async throws -> Response {
        let exchange = try await services.exchange(of: context).exchange
        return try await confirm(
            context, count: "1 request", action: Links.deleteExchange(exchange.id),
            listURL: Links.exchange(exchange.id))
    }

    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        let exchange = try await services.exchange(of: context).exchange
        try await services.deleteExchanges([exchange.id], in: exchange.workspace)
        let form = try Form(context.request)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.traffic)
    }

    // MARK: Recording

    @Sendable private func setRecording(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        guard let act = try form.choice("act", of: ["pause", "resume"]) else {
            throw Problem.unknownChoice("act", "pause, resume")
        }
        services.setRecording(act == "resume", in: try services.workspace(of: context))
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.traffic)
    }
}
