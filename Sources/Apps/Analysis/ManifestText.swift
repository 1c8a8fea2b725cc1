/// A text of a manifest that somebody who uses the app may read, and where in
/// the manifest it is written.
package struct ManifestText: Sendable, Equatable {
    /// With its `{variables}`.
    package var text: String
    package var kind: Kind
    /// Members from the root: `screens`, `login`, `title`.
    package var path: [String]
    /// From 1; nil for what the manifest leaves to Foyer.
    package var line: Int?
    /// The screens it may be read on, in the manifest's order.
    package var screens: [String]

    package enum Kind: String, Sendable, CaseIterable {
        case title, text, label, placeholder, hint, option, strength, link
        case rule, failure, network, session, confirm, alert, toast, notice
        case prompt, badge, setting
    }
}

extension AppCatalog {
    /// Every text of the app `id`, read from its file as it lies there now;
    /// empty for one that is not there or cannot be read.
    package func texts(ofApp id: String) -> [ManifestText] {
        guard let app = app(id), let bytes = manifest(ofApp: id) else { return [] }
        return ManifestText.collectTexts(of: app, bytes)
    }
}

extension ManifestText {
    /// Every text of `app`, whose manifest is `bytes`, in the order written.
    static func collectTexts(of app: App, _ bytes: [UInt8]) -> [ManifestText] {
        guard let document = try? JSON5Parser.parse(bytes) else { return [] }
        var gatherer = TextCollector(app: app)
        gatherer.collect(document)
        return gatherer.texts
    }
}
