/// An app's initial on its background color, shown beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex color.
    var background: String
    /// CSS hex color.
    var letterColor: String
}
