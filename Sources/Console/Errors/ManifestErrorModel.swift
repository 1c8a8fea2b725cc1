/// An app that cannot be read, in place of its studio (`errors/manifest`).
///
/// The page loads itself again at the event `apps.read`.
struct ManifestErrorModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var glyph: GlyphModel
    /// The app's name if it could be read, else its id.
    var appName: String
    /// This page.
    var reloadURL: String
    /// `The manifest has an error`, `A template has an error`.
    var kind: String
    /// What a person would say.
    var title: String
    var file: String
    /// What is wrong, in the order of its lines.
    var issues: [Issue]
    /// `The other app runs. Sessions and traffic of Atlas are kept.`
    var unaffectedText: String

    struct Issue: Encodable, Sendable {
        /// `calls.login.failures[0].go`; nil if there is none.
        var codingPath: String?
        var detail: String
        /// Whether the file could be read, so that lines can be shown.
        var anySource: Bool
        var file: String
        /// `line 52, column 89`.
        var position: String
        /// The line and two on either side.
        var sourceLines: [Line]
        /// What to do about it; nil if that is plain.
        var fix: String?
    }

    struct Line: Encodable, Sendable {
        var number: String
        var isMarked: Bool
        /// The line; what is wrong in it, if known, stands between.
        var before: String
        var highlighted: String?
        var after: String
    }
}
