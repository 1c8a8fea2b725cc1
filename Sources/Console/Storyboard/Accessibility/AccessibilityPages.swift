import Web

/// `/storyboard/{app}/accessibility`: the accessibility report of every state.
///
/// The browser measures names, focus order, touch targets, contrast and announcements in the
/// states' frames.
struct AccessibilityPages: Sendable {
    let services: Services
    let stateCache: StateCache

    var routes: [Route] { [Route(.get, "/storyboard/{app}/accessibility", handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        if let errorPage = ManifestErrorPage(context, services, navItemID: "storyboard") {
            return try await errorPage.response()
        }
        let app = try services.app(of: context)
        let query = try context.query(allowing: AccessibilityQuery.parameterNames + ["part"])
        let page = try await AccessibilityBuilder(
            services: services, stateCache: stateCache,
            query: try AccessibilityQuery(app: app, query: query)
        ).build()
        return try await services.respond(to: context, page, "storyboard/accessibility")
    }
}
