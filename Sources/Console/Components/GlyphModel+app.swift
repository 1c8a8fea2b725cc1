import Apps

extension GlyphModel {
    init(_ app: App) {
        self.init(
            letter: app.look.glyph, background: app.look.background,
            letterColor: app.look.foreground)
    }

    /// For an app whose manifest is broken.
    static func unknown(_ id: String) -> GlyphModel {
        GlyphModel(
            letter: id.first.map { String($0).uppercased() } ?? "?", background: "#55524C",
            letterColor: "#FFFFFF")
    }
}
