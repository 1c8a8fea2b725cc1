import Traffic
import Web

/// `/traffic/diff?a=…&b=…`: what differs between two exchanges.
struct DiffPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder

    var routes: [Route] { [Route(.get, "/traffic/diff", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        // The list's checkboxes all have one name.
        let picked = context.target.query.filter { $0.name == "pick" }.map(\.value)
        guard picked.isEmpty, !context.target.query.isEmpty else {
            guard picked.count == 2 else {
                throw Problem(
                    status: 400, code: "two-needed", title: "Two exchanges can be compared",
                    detail: "\(Format.count(picked.count)) chosen. Go back and "
                        + "tick two in the list.")
            }
            // The list has the newer first.
            return .redirect(to: Links.exchangeDiff(picked[1], picked[0]))
        }
        let asked = try context.query(allowing: ["a", "b", "part"])
        let workspace = try scopeResolver.workspace(of: context)
        let pair = try await Self.pair(asked["a"], asked["b"], in: workspace, services)
        let model = try await DiffBuilder(
            services: services, frames: frames, old: pair.0, new: pair.1, csrf: context.csrfToken
        ).build()
        return try PageRenderer(
            templates: services.templates, pageTemplate: "traffic/diff", partTemplates: [:]
        )
        .response(asked["part"], model, frame: model.frame)
    }

    /// Both exchanges; 400 for a missing one, 404 for an unknown.
    static func pair(_ a: String?, _ b: String?, in workspace: String, _ services: Services)
        async throws -> (ExchangeDetail, ExchangeDetail)
    {
        func one(_ name: String, _ id: String?) async throws -> ExchangeDetail {
            guard let id else {
                throw Problem.badParameter(name, "is missing; it is an exchange's id")
            }
            guard let detail = try await services.exchanges.detail(id, in: workspace) else {
                throw services.missingProblem(exchange: id, in: workspace)
            }
            return detail
        }
        return (try await one("a", a), try await one("b", b))
    }
}
