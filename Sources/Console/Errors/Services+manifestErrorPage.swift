import Apps
import Templates
import Web

extension Services {
    /// The page that replaces one of an app whose manifest has errors: what is wrong, where, and
    /// how to fix it. Nil if the app that the request's path names runs or is unknown.
    ///
    /// `navItemID` is the replaced page's navigation item.
    func manifestErrorPage(_ context: RequestContext, navItemID: String) async throws -> Response? {
        let appID = context.parameters["app"] ?? ""
        guard let error = manifestError(ofApp: appID) else { return nil }
        let name = manifestName(ofApp: appID)
        // Nil if the file was deleted since, or is no longer a manifest.
        let source = appCatalog.manifest(ofApp: appID)
        let errors = error.allErrors
        let otherAppsText =
            switch appCatalog.apps.count {
            case 0: "No other app runs."
            case 1: "The other app runs."
            case let count: "The other \(count) apps run."
            }
        let page = Page(
            title: "Couldn't load \(name)", navItem: navItemID, url: context.target.path,
            model: [
                "glyph": GlyphModel(appCatalog.identity(ofApp: appID), ofApp: appID),
                "appName": name,
                "reloadURL": context.target.path,
                "kind": errors.count == 1 ? "Manifest error" : "\(errors.count) manifest errors",
                "file": error.file, "issues": errors.map { $0.issue(in: source) },
                "unaffectedText":
                    "\(otherAppsText) Sessions and traffic of \(name) stay stored.",
            ])
        return try await respond(to: context, page, "errors/manifest", status: 503)
    }

    /// The name of an app whose manifest has errors; from its id if the name cannot be read.
    func manifestName(ofApp id: String) -> String {
        appCatalog.identity(ofApp: id).name
            ?? id.split(separator: "-").joined(separator: " ").capitalizedFirst
    }
}

extension ManifestError {
    /// One error of the page; `source` is the manifest's text, if it could be read.
    fileprivate func issue(in source: [UInt8]?) -> TemplateModel {
        [
            "codingPath": path.nonEmpty, "detail": issueText, "file": file,
            "position": line.map { "line \($0)" }, "sourceLines": lines(in: source),
            "fix": fix.nonEmpty,
        ]
    }

    /// The error's line with two lines of context on either side.
    private func lines(in source: [UInt8]?) -> [TemplateModel] {
        guard let line, let source else { return [] }
        let lines = String(decoding: source, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lineNumbers = max(1, line - 2)...max(1, line + 2)
        return lineNumbers.compactMap { number in
            guard lines.indices.contains(number - 1) else { return nil }
            let text = String(lines[number - 1])
            return number == line
                ? markedLine(text, number: number)
                : ["number": number, "before": text]
        }
    }

    /// Highlights a name that the error mentions, if the line contains it exactly once.
    private func markedLine(_ text: String, number: Int) -> TemplateModel {
        for name in quotedNames {
            let parts = text.split(separator: name, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            return [
                "number": number, "isMarked": true, "before": String(parts[0]),
                "highlighted": name, "after": String(parts[1]),
            ]
        }
        return ["number": number, "isMarked": true, "before": text]
    }

    /// The names quoted in the error's message, then the member's name.
    private var quotedNames: [String] {
        var names: [String] = []
        for quote in ["'", "\"", "`"] {
            let parts = detail.split(separator: quote, omittingEmptySubsequences: false)
            names += parts.enumerated().filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map {
                String($0.element)
            }
        }
        return names + [memberName].compactMap(\.self)
    }

    /// The last component of the error's path; nil for a list index.
    private var memberName: String? {
        path.split(separator: ".").last.flatMap { Int($0) == nil ? String($0) : nil }
    }

    /// The error's message, without a leading member name, which the path already shows.
    private var issueText: String {
        var text = detail
        if let member = memberName, text.hasPrefix(member + " ") {
            text = String(text.dropFirst(member.count + 1))
        }
        return text.hasSuffix(".") ? text : text + "."
    }
}
