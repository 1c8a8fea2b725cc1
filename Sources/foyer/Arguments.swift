import Core

/// Flags and `FOYER_*` variables; a flag overrides its variable.
enum Arguments {
    enum Command: Equatable {
        case serve(RunOptions)
        case storyboard(StoryboardOptions)
        case help
        case version
    }

    /// Each flag with its variable, the name of its value and its description.
    static let flags: [(String, String, String, String)] = [
        ("--port", "FOYER_PORT", "PORT", "the console's port (7070)"),
        ("--backend-port", "FOYER_BACKEND_PORT", "PORT", "the embedded backend's port (7071)"),
        ("--data", "FOYER_DATA", "DIR", "databases and keys ($XDG_DATA_HOME/foyer)"),
        ("--key", "FOYER_KEY", "KEY", "the console's key, or none for disposable containers"),
        ("--apps", "FOYER_APPS", "DIR", "folder with your own apps"),
        ("--root", "FOYER_ROOT", "DIR", "folder of templates/ and Public/ (found automatically)"),
        (
            "--bind", "FOYER_BIND", "ADDRESS",
            "listen beyond loopback: anyone who reaches it and has the key can read your tokens"
        ), ("--keep", "FOYER_KEEP", "COUNT", "maximum recorded requests per workspace (5000)"),
        ("--keep-days", "FOYER_KEEP_DAYS", "DAYS", "maximum age of recorded requests (7)"),
        (
            "--password-cost", "FOYER_PASSWORD_COST", "COST",
            "yescrypt cost of passwords in the embedded backend, 1 to 11 (5)"
        ), ("--host", "FOYER_HOST", "NAME", "additional host name of this machine, with --bind"),
    ]

    static let environmentVariables = flags.map(\.1) + storyboardFlags.compactMap(\.1)

    static let help: String = {
        var lines = [
            "usage: foyer [serve] [options]", "       foyer storyboard --out DIR [options]", "",
            "A local web console for the sign-in flows of mobile apps.", "",
        ]
        for (flag, variable, value, description) in flags {
            lines.append("  \(flag) \(value)  (\(variable))")
            lines.append("      \(description)")
        }
        lines.append("  --help, --version")
        lines += [
            "", "foyer storyboard takes a screenshot of every state of every screen. It needs",
            "Chromium and starts a separate instance: it does not read or write your",
            "data folder.", "",
        ]
        for (flag, variable, value, description) in storyboardFlags {
            lines.append("  \(flag) \(value)" + (variable.map { "  (\($0))" } ?? ""))
            lines.append("      \(description)")
        }
        lines.append("  --apps, --root  as above")
        return lines.joined(separator: "\n")
    }()

    static func parse(_ arguments: ArraySlice<String>, _ environment: [String: String])
        throws(StartError) -> Command
    {
        if arguments.first == "storyboard" {
            return try parseStoryboard(arguments.dropFirst(), environment)
        }
        var values: [String: String] = [:]
        var hosts: [String] = []
        for (flag, variable, _, _) in flags {
            guard let value = environment[variable], !value.isEmpty else { continue }
            values[flag] = value
        }
        var remaining = arguments
        if remaining.first == "serve" { remaining = remaining.dropFirst() }
        var reader = FlagReader(remaining, knownFlags: flags.map(\.0))
        while let argument = try reader.next() {
            switch argument {
            case .help: return .help
            case .version: return .version
            case .flag("--host", let name): hosts.append(name)
            case .flag(let flag, let value): values[flag] = value
            }
        }
        if hosts.isEmpty, let host = values["--host"] { hosts = [host] }
        return .serve(try parseOptions(values, hosts, environment))
    }

    private static func parseOptions(
        _ values: [String: String], _ hosts: [String], _ environment: [String: String]
    ) throws(StartError) -> RunOptions {
        var options = RunOptions(dataPath: try dataPath(values, environment))
        options.extraHosts = hosts
        if let port = values["--port"] { options.port = try parsePort("--port", port) }
        if let port = values["--backend-port"] {
            options.backendPort = try parsePort("--backend-port", port)
        }
        if options.port == options.backendPort, options.port != 0 {
            throw StartError(
                "console and backend cannot share port \(options.port); use another one with "
                    + "--backend-port.")
        }
        switch values["--key"] {
        case nil: break
        case "none": options.key = .none
        case .some(let key):
            guard isValidKey(key) else {
                throw StartError(
                    "--key takes at least 16 letters, digits, - or _; omit it to generate one.")
            }
            options.key = .explicit(key)
        }
        if let count = values["--keep"] {
            options.exchangeLimit = try parseInteger("--keep", count, 1...10_000_000)
        }
        if let days = values["--keep-days"] {
            options.retentionDays = try parseInteger("--keep-days", days, 1...3_650)
        }
        if let cost = values["--password-cost"] {
            options.passwordCost = try parseInteger("--password-cost", cost, 1...11)
        }
        options.appsFolder = values["--apps"]
        options.rootFolder = values["--root"]
        if let address = values["--bind"] { options.bindAddress = address }
        return options
    }

    /// Whether a text can be the console's key.
    static func isValidKey(_ text: String) -> Bool {
        text.utf8.count >= 16 && text.allSatisfy(\.isASCII)
            && text.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    }

    private static func dataPath(_ values: [String: String], _ environment: [String: String])
        throws(StartError) -> String
    {
        if let folder = values["--data"] { return folder }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/foyer" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw StartError("there is no home folder for the data; use --data DIR.")
        }
        return home + "/.local/share/foyer"
    }

    static func parseInteger(_ flag: String, _ text: String, _ range: ClosedRange<Int>)
        throws(StartError) -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            throw StartError(
                "\(flag) is \(text.prefix(20)); valid values: \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }

    private static func parsePort(_ flag: String, _ text: String) throws(StartError) -> UInt16 {
        guard let port = UInt16(text) else {
            throw StartError("\(flag) is \(text.prefix(20)); valid values: 0 to 65535.")
        }
        return port
    }
}

/// Iterates over the flags of a command line.
struct FlagReader {
    private var remaining: ArraySlice<String>
    private let knownFlags: [String]

    enum Argument {
        case help
        case version
        case flag(String, String)
    }

    init(_ words: ArraySlice<String>, knownFlags: [String]) {
        remaining = words
        self.knownFlags = knownFlags
    }

    /// The next flag with its value, `--port 80` or `--port=80`; nil at the end.
    mutating func next() throws(StartError) -> Argument? {
        guard let argument = remaining.popFirst() else { return nil }
        switch argument {
        case "--help", "-h": return .help
        case "--version": return .version
        default: break
        }
        let parts = argument.split(separator: "=", maxSplits: 1)
        guard let flag = parts.first.map(String.init), knownFlags.contains(flag) else {
            throw StartError("unknown option \(argument.prefix(60)); see foyer --help.")
        }
        guard let value = parts.count > 1 ? String(parts[1]) : remaining.popFirst() else {
            throw StartError("\(flag) needs a value; see foyer --help.")
        }
        return .flag(flag, value)
    }
}
