import Web

/// `/storyboard/{app}/accessibility`: names, focus order, targets, contrast
/// and announcements of every state, measured by the browser that shows it.
struct AccessibilityPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let stage: Stage

    var routes: [Route] { [Route(.get, "/storyboard/{app}/accessibility", handler: show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let broken = try ManifestPage(visit, services, visitors, frames, place: "storyboard")
        if let broken { return try await broken.answer(part: nil) }
        let app = try services.app(of: visit)
        let asked = try visit.query(allowing: AccessibilityAddress.names + ["part"])
        let model = try await AccessibilityBuilder(
            services: services, frames: frames, stage: stage, workspace: workspace,
            csrf: visit.csrf, address: try AccessibilityAddress(app: app, asked: asked)
        ).build()
        return try PageParts(
            templates: services.templates, page: "storyboard/accessibility", parts: [:]
        ).answer(asked["part"], model, frame: model.frame)
    }
}
