import Traffic
import Web

/// `/traffic/diff?a=…&b=…`: the differences between two exchanges.
struct DiffPages: Sendable {
    let services: Services

    var routes: [Route] { [Route(.get, "/traffic/diff", handler: show)] }

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
        let pair = try await Self.pair(parameters["a"], parameters["b"], in: workspace, services)
        let page = try await DiffBuilder(
            services: services, old: pair.0, new: pair.1
        ).build()
        return try await services.respond(to: context, page, "traffic/diff")
    }

    /// Both exchanges; throws 400 for a missing id, 404 for an unknown one.
    static func pair(_ a: String?, _ b: String?, in workspace: String, _ services: Services)
        async throws -> (ExchangeDetail, ExchangeDetail)
    {
        func load(_ name: String, _ id: String?) async throws -> ExchangeDetail {
            guard let id else {
                throw Problem.badParameter(name, "is missing: an exchange id is required")
            }
            guard let detail = try await services.exchanges.detail(id, in: workspace) else {
                throw services.missingProblem(exchange: id, in: workspace)
            }
            return detail
        }
        return (try await load("a", a), try await load("b", b))
    }
}
