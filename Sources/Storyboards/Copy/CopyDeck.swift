package import Apps
package import Templates
import Web

/// The texts of an app and where they appear: those of its manifest in source order, then those of
/// its templates.
///
/// Excludes the console's own texts, texts shared by all apps and messages from a backend.
package struct CopyDeck: Sendable {
    package private(set) var rows: [Row] = []

    /// A text and where it is written.
    package struct Row: Encodable, Sendable {
        package var text: String
        /// A kind of `ManifestText`, `screen` for a template's text, or the attribute's name.
        package var kind: String
        /// `app.json5` or `login.mustache`.
        package var file: String
        package var line: Int?
        /// `screens/login/title`; nil for a text of a template.
        package var manifestPath: String?
        /// The states that show the text, one per screen.
        package var locations: [StateID]
        /// The number of rows with the same text, including this one.
        package var occurrenceCount = 1
    }

    package init(_ app: App, _ templates: Templates) {
        let states = Dictionary(grouping: app.storyboardStates, by: \.screen.id)
        rows = app.texts.map { text in
            Row(
                text: text.text, kind: text.kind.rawValue, file: "app.json5", line: text.line,
                manifestPath: text.path.joined(separator: "/"),
                locations: text.screens.map { screen in
                    let state = states[screen]?.first { $0.messages.contains(text.text) }
                    return state?.id ?? StateID(app: app.id, screen: screen)
                })
        }
        addTemplates(app, templates)
        let rowsByText = Dictionary(grouping: rows, by: \.text)
        for index in rows.indices {
            rows[index].occurrenceCount = rowsByText[rows[index].text]?.count ?? 1
        }
    }

    /// The distinct kinds, in order of first appearance.
    package var kinds: [String] {
        rows.reduce(into: []) { if !$0.contains($1.kind) { $0.append($1.kind) } }
    }

    // MARK: Templates

    private mutating func addTemplates(_ app: App, _ templates: Templates) {
        let prefix = "apps/\(app.id)/"
        let sources = templates.sources(withPrefix: prefix)
        let texts = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.text) })
        /// The screens that show each template, directly or via partials.
        var screensByTemplate: [String: [String]] = [:]
        for screen in app.screens {
            var pending = [prefix + screen.id]
            var visited: Set<String> = []
            while let name = pending.popLast() {
                guard visited.insert(name).inserted, let text = texts[name] else { continue }
                screensByTemplate[name, default: []].append(screen.id)
                pending += Self.partialNames(in: text)
            }
        }
        for source in sources {
            let locations = (screensByTemplate[source.name] ?? []).map {
                StateID(app: app.id, screen: $0)
            }
            rows += TemplateTextReader.texts(of: source.text).map { text in
                Row(
                    text: text.text, kind: text.attribute ?? "screen",
                    file: source.name.dropFirst(prefix.count) + ".mustache", line: text.line,
                    manifestPath: nil, locations: locations)
            }
        }
    }

    /// The partials a template includes: `{{>apps/atlas/parts/badge}}`.
    private static func partialNames(in text: String) -> [String] {
        text.split(separator: "{{>").dropFirst(text.hasPrefix("{{>") ? 0 : 1).map {
            String($0.prefix { $0 != "}" }).whitespaceCollapsed
        }
    }
}
