import Apps
import Web

/// The page that replaces the studio or the storyboard of an app whose manifest has errors: what is
/// wrong, where, and how to fix it.
struct ManifestErrorPage {
    private let services: Services
    private let context: RequestContext
    private let error: ManifestError
    /// The replaced page's navigation item.
    private let navItemID: String

    private var appID: String { context.parameters["app"] ?? "" }

    /// For the app that the request's path names; nil if that app runs or is unknown.
    init?(_ context: RequestContext, _ services: Services, navItemID: String) {
        self.services = services
        self.context = context
        self.navItemID = navItemID
        guard let error = services.manifestError(ofApp: context.parameters["app"] ?? "") else {
            return nil
        }
        self.error = error
    }

    func response() async throws -> Response {
        let name = appID.split(separator: "-").joined(separator: " ").capitalizedFirst
        // Nil if the file was deleted since, or is no longer a manifest.
        let source = services.appCatalog.manifest(ofApp: appID)
        let issues = error.allErrors.map { ManifestErrorModel.Issue($0, in: source) }
        let page = Page(
            "Couldn't load \(name)", navItem: navItemID, url: context.target.path,
            ManifestErrorModel(
                glyph: .unknown(appID), appName: name, reloadURL: context.target.path,
                kind: issues.count == 1 ? "Manifest error" : "\(issues.count) manifest errors",
                file: error.file, issues: issues, unaffectedText: unaffectedText(name)))
        return try await services.respond(to: context, page, "errors/manifest", status: 503)
    }

    private func unaffectedText(_ name: String) -> String {
        let otherCount = services.appCatalog.apps.count
        let otherAppsText =
            switch otherCount {
            case 0: "No other app runs."
            case 1: "The other app runs."
            default: "The other \(otherCount) apps run."
            }
        return "\(otherAppsText) Sessions and traffic of \(name) stay stored."
    }
}

/// The errors of an app's manifest, in place of the app's studio (`errors/manifest`).
///
/// The page reloads on the event `apps.reloaded`.
struct ManifestErrorModel: Encodable, Sendable {
    var glyph: GlyphModel
    /// A name derived from the app's id, because its manifest cannot be read.
    var appName: String
    /// This page's URL.
    var reloadURL: String
    /// `Manifest error`, `2 manifest errors`.
    var kind: String
    var file: String
    /// The errors in the order of their lines.
    var issues: [Issue]
    /// `The other app runs. Sessions and traffic of Atlas stay stored.`
    var unaffectedText: String

    struct Issue: Encodable, Sendable {
        /// `calls.login.failures[0].go`; nil if there is none.
        var codingPath: String?
        var detail: String
        var file: String
        /// `line 52`; empty if unknown.
        var position: String
        /// The line with two lines of context on either side.
        var sourceLines: [Line]
        /// A suggested fix; nil for none.
        var fix: String?
    }

    struct Line: Encodable, Sendable {
        var number: String
        var isMarked: Bool
        /// The line's text, split around `highlighted`, the name that the error mentions.
        var before: String
        var highlighted: String?
        var after = ""
    }
}

extension ManifestErrorModel.Issue {
    /// `source` is the manifest's text, if it could be read.
    fileprivate init(_ error: ManifestError, in source: [UInt8]?) {
        self.init(
            codingPath: error.path.nonEmpty, detail: error.issueText, file: error.file,
            position: error.line.map { "line \($0)" } ?? "", sourceLines: error.lines(in: source),
            fix: error.fix.nonEmpty)
    }
}

extension ManifestError {
    /// The error's line with two lines of context on either side.
    fileprivate func lines(in source: [UInt8]?) -> [ManifestErrorModel.Line] {
        guard let line, let source else { return [] }
        let lines = String(decoding: source, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lineNumbers = max(1, line - 2)...max(1, line + 2)
        return lineNumbers.compactMap { number in
            guard lines.indices.contains(number - 1) else { return nil }
            let text = String(lines[number - 1])
            return number == line
                ? markedLine(text, number: number)
                : .init(number: String(number), isMarked: false, before: text)
        }
    }

    /// Highlights a name that the error mentions, if the line contains it exactly once.
    private func markedLine(_ text: String, number: Int) -> ManifestErrorModel.Line {
        for name in quotedNames {
            let parts = text.split(separator: name, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            return .init(
                number: String(number), isMarked: true, before: String(parts[0]), highlighted: name,
                after: String(parts[1]))
        }
        return .init(number: String(number), isMarked: true, before: text)
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
    fileprivate var issueText: String {
        var text = detail
        if let member = memberName, text.hasPrefix(member + " ") {
            text = String(text.dropFirst(member.count + 1))
        }
        return text.hasSuffix(".") ? text : text + "."
    }
}
