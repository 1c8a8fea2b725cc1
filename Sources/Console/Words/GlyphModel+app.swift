import Apps

extension GlyphModel {
    init(_ app: App) {
        self.init(letter: app.look.glyph, ground: app.look.ground, letterInk: app.look.letter)
    }

    /// For an app whose manifest cannot be read.
    static func unknown(_ id: String) -> GlyphModel {
        GlyphModel(
            letter: id.first.map { String($0).uppercased() } ?? "?", ground: "#55524C",
            letterInk: "#FFFFFF")
    }
}
