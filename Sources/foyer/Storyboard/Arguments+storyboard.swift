import Console

extension Arguments {
    /// The flags of `foyer storyboard`, as `flags` are those of the server.
    static let storyboardFlags: [(String, String?, String, String)] = [
        ("--out", nil, "DIR", "where the pictures go; made if need be"),
        ("--app", nil, "ID[,ID]", "whose pictures (every app's, in a folder each)"),
        ("--size", nil, "SIZE[,SIZE]", choices(Gallery.sizes)),
        ("--appearance", nil, "light|dark|both", "dark where the app has it (light)"),
        ("--text", nil, "TEXT[,TEXT]", choices(Gallery.texts)),
        ("--scale", nil, "COUNT", "pixels in a point, 1 to 4 (2)"),
        ("--chromium", "CHROMIUM", "FILE", "Chromium's executable (found in PATH)"),
    ]

    /// Those it shares with the server.
    private static let shared = ["--apps", "--root"]

    static func storyboard(_ arguments: ArraySlice<String>, _ environment: [String: String])
        throws(StartError) -> Command
    {
        let own = storyboardFlags.map { ($0.0, $0.1) }
        let others = flags.filter { shared.contains($0.0) }.map { ($0.0, String?.some($0.1)) }
        var values: [String: String] = [:]
        for case (let flag, let variable?) in own + others {
            guard let value = environment[variable], !value.isEmpty else { continue }
            values[flag] = value
        }
        var apps: [String] = []
        var words = FlagReader(arguments, known: (own + others).map(\.0))
        while let word = try words.next() {
            switch word {
            case .help: return .help
            case .version: return .version
            case .flag("--app", let list):
                guard !parts(list).isEmpty else {
                    throw StartError("--app needs an app; leave it out for all of them.")
                }
                apps += parts(list)
            case .flag(let flag, let value): values[flag] = value
            }
        }
        guard let out = values["--out"], !out.isEmpty else {
            throw StartError("storyboard needs --out DIR, the folder for the pictures.")
        }
        var options = StoryboardOptions(
            out: out, path: environment["PATH"] ?? "", temporary: environment["TMPDIR"] ?? "/tmp")
        // Asked for twice it is one app still.
        for app in apps where !options.apps.contains(app) { options.apps.append(app) }
        if let list = values["--size"] {
            options.sizes = try several("--size", list, of: Gallery.sizes)
        }
        if let list = values["--appearance"] {
            options.appearances =
                list == "both"
                ? Gallery.appearances
                : try several("--appearance", list, of: Gallery.appearances, besides: ", both")
        }
        if let list = values["--text"] {
            options.texts = try several("--text", list, of: Gallery.texts)
        }
        if let scale = values["--scale"] { options.scale = try whole("--scale", scale, 1...4) }
        options.chromium = values["--chromium"]
        options.userApps = values["--apps"]
        options.root = values["--root"]
        return .storyboard(options)
    }

    /// In the order there is of them, whatever the order they were given in.
    private static func several(
        _ flag: String, _ list: String, of choices: [String], besides: String = ""
    ) throws(StartError) -> [String] {
        let words = parts(list)
        guard let strange = words.first(where: { !choices.contains($0) }) else {
            guard !words.isEmpty else {
                throw StartError("\(flag) needs a value; see foyer --help.")
            }
            return choices.filter(words.contains)
        }
        throw StartError(
            "\(flag) is \(strange.prefix(20)); it can be " + choices.joined(separator: ", ")
                + besides + ".")
    }

    private static func parts(_ list: String) -> [String] {
        list.split(separator: ",").map(String.init)
    }

    private static func choices(_ all: [String]) -> String {
        all.joined(separator: ", ") + " (\(all.first ?? ""))"
    }
}
