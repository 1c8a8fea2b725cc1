import Console

/// Options of a storyboard run: which pictures to take, where to write them, and what to compare
/// them with.
struct StoryboardOptions: Equatable {
    var pictures = PictureOptions()
    /// Whether --app was given.
    var hasApps = false
    /// The folder for the pictures; nil for none.
    var outputFolder: String?
    /// The folder of the earlier pictures to compare with; nil for none.
    var comparedFolder: String?
    /// Of the temporary application.
    var server = RunOptions()

    init(_ environment: [String: String]) { server.readPaths(environment) }
}

extension StoryboardOptions {
    /// In the order of the help.
    static var table: [CommandOption<StoryboardOptions>] {
        [
            // First: other options override those of the folder's pictures.
            .init(
                "--against", nil, "DIR",
                "compare with the pictures in DIR, with the options they were taken with"
            ) { (options, folder) throws(StartError) in
                guard let set = PictureSet(folder) else {
                    throw StartError(
                        "--against \(folder) is not a readable folder; use one that was written "
                            + "with --out.")
                }
                options.comparedFolder = folder
                if set.takenAt != nil { options.pictures = set.options }
            },
            .init("--out", nil, "DIR", "output folder; created if missing") {
                $0.outputFolder = $1
            },
            .init("--app", nil, "ID[,ID]", "apps to capture (all, in a folder each)") {
                (options, list) throws(StartError) in
                let apps = splitList(list)
                guard !apps.isEmpty else {
                    throw StartError("--app needs an app; omit it for all of them.")
                }
                if !options.hasApps { options.pictures.apps = [] }
                options.hasApps = true
                // A repeated app counts once.
                for app in apps where !options.pictures.apps.contains(app) {
                    options.pictures.apps.append(app)
                }
            }, choiceOption("--size", "SIZE[,SIZE]", StoryboardCatalog.sizes, \.sizes),
            .init("--appearance", nil, "light|dark|both", "dark only if the app has it (light)") {
                (options, list) throws(StartError) in
                options.pictures.appearances =
                    list == "both"
                    ? StoryboardCatalog.appearances
                    : try parseChoices(
                        "--appearance", list, of: StoryboardCatalog.appearances, besides: ", both")
            }, choiceOption("--text", "TEXT[,TEXT]", StoryboardCatalog.textSizes, \.textSizes),
            .init(
                "--scale", nil, "COUNT", "pixels per point, 1 to 4 (2)", sets: \.pictures.scale,
                in: 1...4),
            .init(
                "--full-length", nil, nil, "screens that scroll are shown in full"
            ) { options, _ in options.pictures.isFullLength = true },
        ]
    }

    /// The options it shares with the server.
    static var sharedTable: [CommandOption<StoryboardOptions>] {
        [
            .init("--apps", "FOYER_APPS", "DIR", "", sets: \.server.appsFolder),
            .init("--root", "FOYER_ROOT", "DIR", "", sets: \.server.rootFolder),
            .init("--chromium", "CHROMIUM", "FILE", "", sets: \.server.chromiumFile),
        ]
    }

    private static func choiceOption(
        _ flag: String, _ valueName: String, _ choices: [String],
        _ path: WritableKeyPath<PictureOptions, [String]>
    ) -> CommandOption<StoryboardOptions> {
        let description = choices.joined(separator: ", ") + " (\(choices.first ?? ""))"
        return CommandOption(flag, nil, valueName, description) {
            (options, list) throws(StartError) in
            options.pictures[keyPath: path] = try parseChoices(flag, list, of: choices)
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
