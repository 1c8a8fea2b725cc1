import Apps
import FoundationEssentials
import Web

/// The page in place of the studio or the storyboard of an app that cannot be
/// read: what is wrong, where, and how to mend it.
struct ManifestPage {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let id: String
    let error: ManifestError
    /// The page it stands in place of, and that page's place.
    let page: String
    let place: String

    /// In place of the page of an app that `visit` asks for; nil if that app
    /// runs or is unknown.
    init?(
        _ visit: Visit, _ services: Services, _ visitors: Visitors,
        _ frames: FrameBuilder, place: String
    ) throws {
        let id = visit.parameters["app"] ?? ""
        for entry in services.catalogue.entries() {
            guard case .broken(id, let error) = entry else { continue }
            self.services = services
            self.frames = frames
            workspace = try visitors.workspace(of: visit)
            csrf = visit.csrf
            self.id = id
            self.error = error
            page = visit.target.path
            self.place = place
            return
        }
        return nil
    }

    func answer(part: String?) async throws -> Response {
        let model = try await model()
        var response = try PageParts(
            templates: services.templates, page: "errors/manifest", parts: [:]
        ).answer(part, model, frame: model.frame)
        if part == nil { response.status = 503 }
        return response
    }

    private func model() async throws -> ManifestModel {
        let name = id.split(separator: "-").joined(separator: " ")
            .capitalizedFirst
        let lines = sourceLines()
        return ManifestModel(
            frame: try await frames.frame(
                "\(name) cannot be read", place: place,
                workspace: workspace, csrf: csrf,
                partURL: Links.part(page, [])),
            csrf: csrf, glyph: .unknown(id), appName: name, againURL: page,
            kind: "The manifest has an error",
            title: "\(name) cannot be read",
            codingPath: error.path.isEmpty ? nil : error.path,
            detail: detail, anySource: !lines.isEmpty, file: error.file,
            place: error.line.map { "line \($0)" } ?? "",
            sourceLines: lines,
            mends: error.mend.isEmpty
                ? []
                : [
                    .init(
                        mend: error.mend,
                        why: "The file is read again when it changes. This "
                            + "page follows by itself.")
                ],
            stillWorks: stillWorks(name))
    }

    private func stillWorks(_ name: String) -> String {
        let others = services.apps.count
        let run =
            switch others {
            case 0: "No other app runs."
            case 1: "The other app runs."
            default: "The other \(others) apps run."
            }
        return "\(run) Sessions and traffic of \(name) are kept."
    }

    // MARK: Source

    /// The marked line and two on either side. The catalogue has just read
    /// the same file, so its size is no concern.
    private func sourceLines() -> [ManifestModel.Line] {
        guard let line = error.line,
            let data = FileManager.default.contents(atPath: error.file)
        else { return [] }
        let lines = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let shown = max(1, line - 2)...max(1, line + 2)
        return shown.compactMap { number in
            guard lines.indices.contains(number - 1) else { return nil }
            let text = String(lines[number - 1])
            guard number == line else {
                return .init(
                    number: String(number), marked: false, before: text,
                    wrong: nil, after: "")
            }
            return marked(text, number: number)
        }
    }

    /// What the error names is marked if the line has it once.
    private func marked(_ text: String, number: Int) -> ManifestModel.Line {
        for name in named {
            let around = text.split(
                separator: name, omittingEmptySubsequences: false)
            guard around.count == 2 else { continue }
            return .init(
                number: String(number), marked: true,
                before: String(around[0]), wrong: name,
                after: String(around[1]))
        }
        return .init(
            number: String(number), marked: true, before: text, wrong: nil,
            after: "")
    }

    /// What stands in quotes in the error's sentence, then the member.
    private var named: [String] {
        var names: [String] = []
        for quote in ["'", "\"", "`"] {
            let parts = error.detail.split(
                separator: quote, omittingEmptySubsequences: false)
            names += parts.enumerated()
                .filter { $0.offset % 2 == 1 && !$0.element.isEmpty }
                .map { String($0.element) }
        }
        return names + [member].compactMap(\.self)
    }

    /// The last name of the path; nil for the place in a list.
    private var member: String? {
        error.path.split(separator: ".").last
            .flatMap { Int($0) == nil ? String($0) : nil }
    }

    /// The error's sentence behind its path, which need not name it twice.
    private var detail: String {
        var text = error.detail
        if let member, text.hasPrefix(member + " ") {
            text = String(text.dropFirst(member.count + 1))
        }
        return text.hasSuffix(".") ? text : text + "."
    }
}
