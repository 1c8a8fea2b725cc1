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
        ("--key", "FOYER_KEY", "KEY", "the console's key, or none for throw-away containers"),
        ("--apps", "FOYER_APPS", "DIR", "a folder with apps of your own"),
        ("--root", "FOYER_ROOT", "DIR", "where templates/ and Public/ are (found by itself)"),
        (
            "--bind", "FOYER_BIND", "ADDRESS",
            "listen beyond loopback: whoever reaches it and has the key sees your tokens"
        ), ("--keep", "FOYER_KEEP", "COUNT", "recorded exchanges kept in each workspace (5000)"),
        ("--keep-days", "FOYER_KEEP_DAYS", "DAYS", "for how long they are kept (7)"),
        (
            "--password-cost", "FOYER_PASSWORD_COST", "COST",
            "the yescrypt cost of passwords in the embedded backend, 1 to 11 (5)"
        ),
        (
            "--host", "FOYER_HOST", "NAME",
            "a further name browsers use for this machine, with --bind"
        ),
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
            "", "foyer storyboard takes a picture of every state of every screen, and needs",
            "Chromium for it. It starts a house of its own: nothing is read from your data or",
            "written there.", "",
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
                "console and backend cannot share port \(options.port); "
                    + "give --backend-port another one.")
        }
        switch values["--key"] {
        case nil: break
        case "none": options.key = .none
        case .some(let key):
            guard isValidKey(key) else {
                throw StartError(
                    "--key takes at least 16 letters, digits, - or _; "
                        + "leave it out to have one made.")
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
            throw StartError("there is no home folder to keep data in; give --data DIR.")
        }
        return home + "/.local/share/foyer"
    }

    static func parseInteger(_ flag: String, _ text: String, _ range: ClosedRange<Int>)
        throws(StartError)
        -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            throw StartError(
                "\(flag) is \(text.prefix(20)); it can be "
                    + "\(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func parsePort(_ flag: String, _ text: String) throws(StartError) -> UInt16 {
        guard let port = UInt16(text) else {
            throw StartError("\(flag) is \(text.prefix(20)); it can be 0 to 65535.")
        }
        return port
    }
}
