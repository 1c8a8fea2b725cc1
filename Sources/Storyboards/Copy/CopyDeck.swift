package import Apps
package import Templates
import Web

/// The texts of an app and where they appear: those of its manifest in source order, then those of
/// its templates.
///
/// Excludes the console's own texts, texts shared by all apps and messages from a backend.
package struct CopyDeck: Sendable {
    package private(set) var rows: [Row] = []

    package struct Row: Sendable {
        /// From 1, in the order of the unfiltered deck.
        package var number: Int
        package var text: String
        /// A kind of `ManifestText`, `screen` for a template's text, or the attribute's name.
        package var kind: String
        /// `app.json5` or `login.mustache`.
        package var file: String
        package var line: Int?
        /// `screens/login/title`; nil for a text of a template.
        package var manifestPath: String?
        package var locations: [ScreenLocation]
        /// The number of rows with the same text, including this one.
        package var occurrenceCount = 1
    }

    /// A state of a screen that shows the text.
    package struct ScreenLocation: Sendable, Equatable {
        package var screen: String
        package var state: String
    }

    package init(_ app: App, _ texts: [ManifestText], _ templates: Templates) {
        let states = app.screens.map { ($0.id, app.screenStates(of: $0)) }
        for text in texts {
            rows.append(
                Row(
                    number: rows.count + 1, text: text.text, kind: text.kind.rawValue,
                    file: "app.json5", line: text.line,
                    manifestPath: text.path.joined(separator: "/"),
                    locations: text.screens.map { screen in
                        let screenStates = states.first { $0.0 == screen }?.1 ?? []
                        return ScreenLocation(
                            screen: screen,
                            state: screenStates.first { app.shows(text.text, in: $0, on: screen) }?
                                .name
                                ?? "default")
                    }))
        }
        addTemplates(app, templates)
        var counts: [String: Int] = [:]
        for row in rows { counts[row.text, default: 0] += 1 }
        for index in rows.indices { rows[index].occurrenceCount = counts[rows[index].text] ?? 1 }
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
            for text in TemplateTextReader.texts(of: source.text) {
                rows.append(
                    Row(
                        number: rows.count + 1, text: text.text, kind: text.attribute ?? "screen",
                        file: source.name.dropFirst(prefix.count) + ".mustache", line: text.line,
                        manifestPath: nil,
                        locations: (screensByTemplate[source.name] ?? []).map {
                            ScreenLocation(screen: $0, state: "default")
                        }))
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

extension App {
    /// Whether `text` is the message specific to the state.
    fileprivate func shows(_ text: String, in state: ScreenState, on screen: String) -> Bool {
        func action(_ name: String) -> Action? { self.screen(screen)?.action(name) }
        switch state.cause {
        case .initial, .loading, .disabled: return false
        case .fieldError(_, let message): return message == text
        case .failure(_, let call, let index):
            let failures = calls[call]?.failures ?? []
            return failures.indices.contains(index) && failures[index].message == text
        case .unknownFailure: return network.messages.serverError == text
        case .network(_, let failure):
            let messages = network.messages
            return switch failure {
            case .offline: messages.offline == text
            case .timeout: messages.timeout == text
            case .connection: messages.connection == text
            case .invalidResponse: messages.invalidResponse == text
            }
        case .confirm(let name):
            let confirm = action(name)?.confirmation
            return [
                confirm?.title, confirm?.text, confirm?.confirmLabel, confirm?.cancelLabel,
                action(name)?.biometricCheck?.reason,
            ].contains(text)
        case .success(let name, let feedback):
            let action = action(name)
            return switch feedback {
            case .toast: action?.toast == text
            case .notice:
                action?.notice == text
                    || action?.navigationRules.contains { $0.notice == text } == true
            case .alert:
                [action?.alert?.title, action?.alert?.text, action?.alert?.buttonLabel].contains(
                    text)
            }
        case .sessionExpired:
            return [session.expired?.message, session.expired?.title].contains(text)
        }
    }
}
