import Console

extension Arguments {
    /// The flags of `foyer storyboard`, in the format of `flags`.
    static let storyboardFlags: [(String, String?, String, String)] = [
        ("--out", nil, "DIR", "output folder; created if missing"),
        ("--app", nil, "ID[,ID]", "apps to capture (all, in a folder each)"),
        ("--size", nil, "SIZE[,SIZE]", describeChoices(StoryboardCatalog.sizes)),
        ("--appearance", nil, "light|dark|both", "dark only if the app has it (light)"),
        ("--text", nil, "TEXT[,TEXT]", describeChoices(StoryboardCatalog.textSizes)),
        ("--scale", nil, "COUNT", "pixels per point, 1 to 4 (2)"),
        ("--chromium", "CHROMIUM", "FILE", "Chromium's executable (found in PATH)"),
    ]

    /// Flags it shares with the server.
    private static let sharedFlags = ["--apps", "--root"]

    static func parseStoryboard(_ arguments: ArraySlice<String>, _ environment: [String: String])
        throws(StartError) -> Command
    {
        let ownFlags = storyboardFlags.map { ($0.0, $0.1) }
        let serverFlags = flags.filter { sharedFlags.contains($0.0) }.map {
            ($0.0, String?.some($0.1))
        }
        var values: [String: String] = [:]
        for case (let flag, let variable?) in ownFlags + serverFlags {
            guard let value = environment[variable], !value.isEmpty else { continue }
            values[flag] = value
        }
        var apps: [String] = []
        var reader = FlagReader(arguments, knownFlags: (ownFlags + serverFlags).map(\.0))
        while let argument = try reader.next() {
            switch argument {
            case .help: return .help
            case .version: return .version
            case .flag("--app", let list):
                guard !splitList(list).isEmpty else {
                    throw StartError("--app needs an app; omit it for all of them.")
                }
                apps += splitList(list)
            case .flag(let flag, let value): values[flag] = value
            }
        }
        guard let outputFolder = values["--out"], !outputFolder.isEmpty else {
            throw StartError("storyboard needs --out DIR, the output folder.")
        }
        var options = StoryboardOptions(
            outputFolder: outputFolder, searchPath: environment["PATH"] ?? "",
            temporaryFolder: environment["TMPDIR"] ?? "/tmp")
        // A repeated app counts once.
        for app in apps where !options.apps.contains(app) { options.apps.append(app) }
        if let list = values["--size"] {
            options.sizes = try parseChoices("--size", list, of: StoryboardCatalog.sizes)
        }
        if let list = values["--appearance"] {
            options.appearances =
                list == "both"
                ? StoryboardCatalog.appearances
                : try parseChoices(
                    "--appearance", list, of: StoryboardCatalog.appearances, besides: ", both")
        }
        if let list = values["--text"] {
            options.textSizes = try parseChoices("--text", list, of: StoryboardCatalog.textSizes)
        }
        if let scale = values["--scale"] {
            options.scale = try parseInteger("--scale", scale, 1...4)
        }
        options.chromiumFile = values["--chromium"]
        options.appsFolder = values["--apps"]
        options.rootFolder = values["--root"]
        return .storyboard(options)
    }

    /// In the order of `choices`, independent of the order in the list.
    private static func parseChoices(
        _ flag: String, _ list: String, of choices: [String], besides: String = ""
    ) throws(StartError) -> [String] {
        let items = splitList(list)
        guard let unknown = items.first(where: { !choices.contains($0) }) else {
            guard !items.isEmpty else {
                throw StartError("\(flag) needs a value; see foyer --help.")
            }
            return choices.filter(items.contains)
        }
        throw StartError(
            "\(flag) is \(unknown.prefix(20)); valid values: " + choices.joined(separator: ", ")
                + besides + ".")
    }

    private static func splitList(_ list: String) -> [String] {
        list.split(separator: ",").map(String.init)
    }

    private static func describeChoices(_ all: [String]) -> String {
        all.joined(separator: ", ") + " (\(all.first ?? ""))"
    }
}
