import Console

/// What pictures to take of the storyboard, and where they go.
struct StoryboardOptions: Equatable {
    /// The apps asked for; none asks for all of them.
    var apps: [String] = []
    /// Where the pictures go.
    var outputFolder: String
    var sizes = Array(StoryboardCatalog.sizes.prefix(1))
    var appearances = Array(StoryboardCatalog.appearances.prefix(1))
    var textSizes = Array(StoryboardCatalog.textSizes.prefix(1))
    /// Pixels in a point.
    var scale = 2
    /// Chromium's executable; looked for in `path` if it is not given.
    var chromiumFile: String?
    var searchPath: String
    /// Where throw-away folders are made.
    var temporaryFolder: String
    /// A folder with further apps, one folder each.
    var appsFolder: String?
    /// Where `templates/` and `Public/` are.
    var rootFolder: String?

    var variants: [StoryboardCatalog.DisplayOptions] {
        sizes.flatMap { size in
            appearances.flatMap { appearance in
                textSizes.map { .init(size: size, appearance: appearance, textSize: $0) }
            }
        }
    }

    /// Where a picture goes below `out`: a folder for each thing of which
    /// there are several, so that a state has one name everywhere.
    func fileName(_ entry: StoryboardCatalog.Entry, _ look: StoryboardCatalog.DisplayOptions)
        -> String
    {
        var parts: [String] = []
        if apps.count != 1 { parts.append(entry.app) }
        if sizes.count > 1 { parts.append(look.size) }
        if appearances.count > 1 { parts.append(look.appearance) }
        if textSizes.count > 1 { parts.append(look.textSize) }
        parts.append("\(entry.screen)-\(entry.state).png")
        return parts.joined(separator: "/")
    }
}
