import Apps

/// An app's initial on its background color, shown beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex color.
    var background: String
    /// CSS hex color.
    var letterColor: String
}

extension GlyphModel {
    init(_ app: App) {
        self.init(
            letter: app.look.glyph, background: app.look.background,
            letterColor: app.look.foreground)
    }

    /// For the app with this id, which may be unknown.
    init(_ app: App?, id: String) { self = app.map(Self.init) ?? .unknown(id) }

    /// For an app whose manifest is broken.
    static func unknown(_ id: String) -> GlyphModel {
        GlyphModel(
            letter: id.first.map { String($0).uppercased() } ?? "?", background: "#55524C",
            letterColor: "#FFFFFF")
    }
}
