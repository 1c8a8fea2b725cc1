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
    /// `Couldn't load Atlas`.
    var title: String
    var file: String
    /// The errors in the order of their lines.
    var issues: [Issue]
    /// `The other app runs. Sessions and traffic of Atlas stay stored.`
    var unaffectedText: String

    struct Issue: Encodable, Sendable {
        /// `calls.login.failures[0].go`; nil if there is none.
        var codingPath: String?
        var detail: String
        /// Whether there are source lines to show.
        var anySource: Bool
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
        var after: String
    }
}
