import Console
import Storyboards

/// Options of a storyboard run: which pictures to take, and where to write them.
struct StoryboardOptions: Equatable {
    /// The requested apps; empty means all.
    var apps: [String] = []
    /// The folder for the pictures.
    var outputFolder: String
    var sizes = Array(StoryboardCatalog.sizes.prefix(1))
    var appearances = Array(StoryboardCatalog.appearances.prefix(1))
    var textSizes = Array(StoryboardCatalog.textSizes.prefix(1))
    /// Pixels per point.
    var scale = 2
    /// Chromium's executable; if nil, it is searched for in `searchPath`.
    var chromiumFile: String?
    var searchPath: String
    /// Where temporary folders are created.
    var temporaryFolder: String
    /// A folder with further apps, one folder each.
    var appsFolder: String?
    /// The folder with `templates/` and `Public/`.
    var rootFolder: String?

    var variants: [StoryboardCatalog.DisplayOptions] {
        sizes.flatMap { size in
            appearances.flatMap { appearance in
                textSizes.map { .init(size: size, appearance: appearance, textSize: $0) }
            }
        }
    }

    /// The path of a picture below `outputFolder`: a folder for each dimension with several values,
    /// so that a state has the same file name everywhere.
    func fileName(_ state: StateID, _ variant: StoryboardCatalog.DisplayOptions)
        -> String
    {
        var parts: [String] = []
        if apps.count != 1 { parts.append(state.app) }
        if sizes.count > 1 { parts.append(variant.size) }
        if appearances.count > 1 { parts.append(variant.appearance) }
        if textSizes.count > 1 { parts.append(variant.textSize) }
        parts.append("\(state.screen)-\(state.state).png")
        return parts.joined(separator: "/")
    }
}
