/// An app's letter on its own ground, as it stands beside its name.
struct GlyphModel: Encodable, Sendable {
    var letter: String
    /// CSS hex of the ground.
    var ground: String
    /// CSS hex of the letter.
    var letterInk: String
}
