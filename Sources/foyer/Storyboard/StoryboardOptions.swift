import Console

/// What pictures to take of the storyboard, and where they go.
struct StoryboardOptions: Equatable {
    /// The apps asked for; none asks for all of them.
    var apps: [String] = []
    /// Where the pictures go.
    var out: String
    var sizes = Array(Gallery.sizes.prefix(1))
    var appearances = Array(Gallery.appearances.prefix(1))
    var texts = Array(Gallery.texts.prefix(1))
    /// Pixels in a point.
    var scale = 2
    /// Chromium's executable; looked for in `path` if it is not given.
    var chromium: String?
    var path: String
    /// Where throw-away folders are made.
    var temporary: String
    /// A folder with further apps, one folder each.
    var userApps: String?
    /// Where `templates/` and `Public/` are.
    var root: String?

    var looks: [Gallery.Look] {
        sizes.flatMap { size in
            appearances.flatMap { appearance in
                texts.map { .init(size: size, appearance: appearance, text: $0) }
            }
        }
    }

    /// Where a picture goes below `out`: a folder for each thing of which
    /// there are several, so that a state has one name everywhere.
    func file(_ piece: Gallery.Piece, _ look: Gallery.Look) -> String {
        var parts: [String] = []
        if apps.count != 1 { parts.append(piece.app) }
        if sizes.count > 1 { parts.append(look.size) }
        if appearances.count > 1 { parts.append(look.appearance) }
        if texts.count > 1 { parts.append(look.text) }
        parts.append("\(piece.screen)-\(piece.state).png")
        return parts.joined(separator: "/")
    }
}
