import Traffic
import Web

/// `/traffic/import`: takes an HTTP Archive.
package struct ImportPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/traffic/import", handler: ask),
            Route(.post, "/traffic/import", handler: take),
        ]
    }

    /// What a request's body may have that brings an archive, the form's own
    /// lines around it included; nil for others.
    static func fileLimit(_ target: String) -> Int? {
        [Links.importTraffic, Links.importTrafficAPI].contains(target)
            ? HARFile.largest + (4 << 10) : nil
    }

    @Sendable private func ask(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        return try await page(visit, part: part, fault: nil, status: 200)
    }

    @Sendable private func take(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        do {
            let form = try Multipart(visit.request)
            guard let bytes = form["har"], !bytes.isEmpty else {
                throw Problem(
                    status: 400, code: "no-file", title: "No file was chosen",
                    detail: "Choose a file that a browser's network panel saved as HAR.")
            }
            _ = try await Importing(services: services).take(bytes, into: workspace)
            return .redirect(to: Links.query(Links.traffic, [("cause", "imported")]))
        } catch let problem as Problem {
            return try await page(visit, part: nil, fault: problem, status: problem.status)
        }
    }

    private func page(_ visit: Visit, part: String?, fault: Problem?, status: Int) async throws
        -> Response
    {
        let workspace = try visitors.workspace(of: visit)
        let model = ImportModel(
            frame: try await frames.frame(
                "Import traffic", place: "traffic", workspace: workspace, csrf: visit.csrf,
                partURL: Links.part(Links.importTraffic, [])), csrf: visit.csrf,
            action: Links.importTraffic, largest: "\(HARFile.largest >> 20) MiB",
            most: Words.count(HARFile.most, "exchange"),
            keeps: Words.count(services.exchanges.keptCount, "exchange"),
            fault: fault.map { problem in
                .init(
                    faultTitle: problem.title, faultText: problem.detail,
                    anyFaults: !problem.errors.isEmpty,
                    faults: problem.errors.map {
                        .init(
                            faultPlace: $0.pointer.isEmpty ? "the file" : $0.pointer,
                            faultDetail: $0.detail)
                    })
            })
        var response = try PageParts(
            templates: services.templates, page: "traffic/import", parts: [:]
        ).answer(part, model, frame: model.frame)
        response.status = status
        return response
    }
}
