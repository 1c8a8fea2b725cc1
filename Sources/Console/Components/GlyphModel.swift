/// An app's letter on its own ground, as it stands beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex of the ground.
    var background: String
    /// CSS hex of the letter.
    var letterColor: String
}
