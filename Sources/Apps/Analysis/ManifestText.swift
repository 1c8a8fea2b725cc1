/// A user-visible text of a manifest and where it is written.
package struct ManifestText: Sendable, Equatable {
    /// With its `{variables}`.
    package var text: String
    package var kind: Kind
    /// Members from the root: `screens`, `login`, `title`.
    package var path: [String]
    /// From 1; nil for a default text of Foyer that the manifest does not override.
    package var line: Int?
    /// The screens that may show it, in the manifest's order.
    package var screens: [String]

    package enum Kind: String, Sendable, CaseIterable {
        case title, text, label, placeholder, hint, option, strength, link
        case rule, failure, network, session, confirm, alert, toast, notice
        case prompt, badge, setting
    }
}

extension AppCatalog {
    /// Every text of the app `id`, read from its current file; empty if the app is missing or
    /// broken.
    package func texts(ofApp id: String) -> [ManifestText] {
        guard let app = app(id), let bytes = manifest(ofApp: id) else { return [] }
        return ManifestText.collectTexts(of: app, bytes)
    }
}

extension ManifestText {
    /// Every text of `app`, whose manifest is `bytes`, in manifest order.
    static func collectTexts(of app: App, _ bytes: [UInt8]) -> [ManifestText] {
        guard let document = try? JSON5Parser.parse(bytes) else { return [] }
        var collector = TextCollector(app: app)
        collector.collect(document)
        return collector.texts
    }
}
