import Apps
import Web

/// `/storyboard/{app}/copy`: every text of an app and where it appears.
struct CopyPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/storyboard/{app}/copy", handler: show),
            Route(.get, "/storyboard/{app}/copy.csv", handler: csv),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let broken = try ManifestPage(visit, services, visitors, frames, place: "storyboard")
        if let broken { return try await broken.answer(part: nil) }
        let app = try services.app(of: visit)
        let asked = try visit.query(allowing: CopyBuilder.filters + ["part"])
        let model = try await CopyBuilder(
            services: services, frames: frames, app: app,
            workspace: try visitors.workspace(of: visit), csrf: visit.csrf,
            listing: try Listing(Links.copy(app.id), filters: CopyBuilder.filters, asked: asked)
        ).build()
        return try PageParts(
            templates: services.templates, page: "storyboard/copy",
            parts: ["rows": "storyboard/copyrows", "segments": "parts/segments"]
        ).answer(asked["part"], model, frame: model.frame)
    }

    /// What the filters leave, as a table.
    @Sendable private func csv(_ visit: Visit) async throws -> Response {
        let app = try services.app(of: visit)
        let asked = try visit.query(allowing: CopyBuilder.filters)
        let deck = CopyDeck(app, services.catalogue.texts(ofApp: app.id), services.templates)
        let rows = try CopyBuilder.narrowed(deck, asked, of: app)
        return Response(
            status: 200,
            headers: [
                "Content-Type": "text/csv; charset=utf-8; header=present",
                "Content-Disposition": "attachment; filename=\"\(app.id)-copy.csv\"",
            ], body: .bytes(Array(CSV.text(CopyBuilder.table(rows)).utf8)))
    }
}
