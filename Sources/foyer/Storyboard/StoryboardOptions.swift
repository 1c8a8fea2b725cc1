import Console
import Storyboards

/// Options of a storyboard run: which pictures to take, and where to write them.
struct StoryboardOptions: Equatable {
    /// The requested apps; empty means all.
    var apps: [String] = []
    /// The folder for the pictures.
    var outputFolder = ""
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
    /// Of the temporary application.
    var server = RunOptions()

    init(_ environment: [String: String]) {
        searchPath = environment["PATH"] ?? ""
        temporaryFolder = environment["TMPDIR"] ?? "/tmp"
    }

    /// How the screens are displayed.
    typealias Variant = (size: String, appearance: String, textSize: String)

    var variants: [Variant] {
        sizes.flatMap { size in
            appearances.flatMap { appearance in
                textSizes.map { (size, appearance, $0) }
            }
        }
    }

    /// The path of a picture below `outputFolder`: a folder for each dimension with several values,
    /// so that a state has the same file name everywhere.
    func fileName(_ state: StateID, _ variant: Variant) -> String {
        var parts: [String] = []
        if apps.count != 1 { parts.append(state.app) }
        if sizes.count > 1 { parts.append(variant.size) }
        if appearances.count > 1 { parts.append(variant.appearance) }
        if textSizes.count > 1 { parts.append(variant.textSize) }
        parts.append("\(state.screen)-\(state.state).png")
        return parts.joined(separator: "/")
    }
}

extension StoryboardOptions {
    /// In the order of the help.
    static var table: [CommandOption<StoryboardOptions>] {
        [
            .init("--out", nil, "DIR", "output folder; created if missing") {
                $0.outputFolder = $1
            },
            .init("--app", nil, "ID[,ID]", "apps to capture (all, in a folder each)") {
                (options, list) throws(StartError) in
                let apps = splitList(list)
                guard !apps.isEmpty else {
                    throw StartError("--app needs an app; omit it for all of them.")
                }
                // A repeated app counts once.
                for app in apps where !options.apps.contains(app) { options.apps.append(app) }
            }, choiceOption("--size", "SIZE[,SIZE]", StoryboardCatalog.sizes, \.sizes),
            .init("--appearance", nil, "light|dark|both", "dark only if the app has it (light)") {
                (options, list) throws(StartError) in
                options.appearances =
                    list == "both"
                    ? StoryboardCatalog.appearances
                    : try parseChoices(
                        "--appearance", list, of: StoryboardCatalog.appearances, besides: ", both")
            }, choiceOption("--text", "TEXT[,TEXT]", StoryboardCatalog.textSizes, \.textSizes),
            .init(
                "--scale", nil, "COUNT", "pixels per point, 1 to 4 (2)", sets: \.scale, in: 1...4),
            .init(
                "--chromium", "CHROMIUM", "FILE", "Chromium's executable (found in PATH)",
                sets: \.chromiumFile),
        ]
    }

    /// The options it shares with the server.
    static var sharedTable: [CommandOption<StoryboardOptions>] {
        [
            .init("--apps", "FOYER_APPS", "DIR", "", sets: \.server.appsFolder),
            .init("--root", "FOYER_ROOT", "DIR", "", sets: \.server.rootFolder),
        ]
    }

    private static func choiceOption(
        _ flag: String, _ valueName: String, _ choices: [String],
        _ path: WritableKeyPath<StoryboardOptions, [String]>
    ) -> CommandOption<StoryboardOptions> {
        let description = choices.joined(separator: ", ") + " (\(choices.first ?? ""))"
        return CommandOption(flag, nil, valueName, description) {
            (options, list) throws(StartError) in
            options[keyPath: path] = try parseChoices(flag, list, of: choices)
        }
    }

    /// In the order of `choices`, independent of the order in the list.
    private static func parseChoices(
        _ flag: String, _ list: String, of choices: [String], besides: String = ""
    ) throws(StartError) -> [String] {
        let items = splitList(list)
        guard !items.isEmpty else { throw StartError("\(flag) needs a value; see foyer --help.") }
        if let unknown = items.first(where: { !choices.contains($0) }) {
            throw StartError(
                "\(flag) is \(unknown.prefix(20)); valid values: " + choices.joined(separator: ", ")
                    + besides + ".")
        }
        return choices.filter(items.contains)
    }

    private static func splitList(_ list: String) -> [String] {
        list.split(separator: ",").map(String.init)
    }
}
