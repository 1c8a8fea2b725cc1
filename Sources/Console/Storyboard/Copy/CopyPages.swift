import Apps
import Web

/// `/storyboard/{app}/copy`: every text of an app and where it appears.
struct CopyPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, "/storyboard/{app}/copy", handler: show),
            Route(.get, "/storyboard/{app}/copy.csv", handler: downloadCSV),
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        if let errorPage = ManifestErrorPage(context, services, navItemID: "storyboard") {
            return try await errorPage.response()
        }
        let app = try services.app(of: context)
        let page = try await CopyBuilder(
            services: services, app: app,
            listing: try ListQuery(
                context, Links.copy(app.id), filters: CopyBuilder.filterNames, hasPages: false)
        ).build()
        return try await services.respond(
            to: context, page, "storyboard/copy",
            parts: ["rows": "storyboard/copyrows", "segments": "parts/segments"])
    }

    /// The filtered rows as CSV.
    @Sendable private func downloadCSV(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let query = try context.query(allowing: CopyBuilder.filterNames)
        let deck = CopyDeck(app, services.appCatalog.texts(ofApp: app.id), services.templates)
        let rows = try CopyBuilder.filtered(deck, query, of: app)
        return Response(
            status: 200,
            headers: [
                "Content-Type": "text/csv; charset=utf-8; header=present",
                "Content-Disposition": "attachment; filename=\"\(app.id)-copy.csv\"",
            ], body: .bytes(Array(CSV.encode(CopyBuilder.csvRows(rows)).utf8)))
    }
}

/// Encodes rows as comma-separated values (RFC 4180).
///
/// A spreadsheet interprets a value that begins with `=`, `+`, `-`, `@`, a tab or a carriage return
/// as a formula. Such values are prefixed with an apostrophe, which makes spreadsheets treat them
/// as text.
enum CSV {
    static func encode(_ rows: [[String]]) -> String {
        rows.map { $0.map(escape).joined(separator: ",") + "\r\n" }.joined()
    }

    static func escape(_ value: String) -> String {
        var value = value
        if let first = value.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
            value = "'" + value
        }
        guard
            value.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) })
                || value.first == " " || value.last == " "
        else { return value }
        return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }
}
