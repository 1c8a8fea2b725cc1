/// The command line: flags and environment variables; a flag overrides its variable.
enum Arguments {
    enum Command: Equatable {
        case serve(RunOptions)
        case storyboard(StoryboardOptions)
        case help
        case version
    }

    static var environmentVariables: [String] {
        RunOptions.table.compactMap(\.variable)
    }

    static var help: String {
        var lines = [
            "usage: foyer [serve] [options]",
            "       foyer storyboard --out DIR | --against DIR [options]", "",
            "A local web console for the sign-in flows of mobile apps.", "",
        ]
        lines += RunOptions.table.flatMap(\.help)
        lines += [
            "  --help, --version", "",
            "foyer storyboard takes a screenshot of every state of every screen. It needs",
            "Chromium and starts a separate instance: it does not read or write your",
            "data folder. With --against it lists what differs; the exit code is 1 if",
            "anything does.", "",
        ]
        lines +=
            StoryboardOptions.table.flatMap(\.help) + ["  --apps, --root, --chromium  as above"]
        return lines.joined(separator: "\n")
    }

    static func parse(_ arguments: ArraySlice<String>, _ environment: [String: String])
        throws(StartError) -> Command
    {
        if arguments.first == "storyboard" {
            var options = StoryboardOptions(environment)
            let table = StoryboardOptions.table + StoryboardOptions.sharedTable
            let end = try apply(arguments.dropFirst(), environment, table, to: &options)
            guard end == nil, options.outputFolder == nil, options.comparedFolder == nil else {
                return end ?? .storyboard(options)
            }
            throw StartError(
                "storyboard needs --out DIR, the output folder, or --against DIR, earlier pictures."
            )
        }
        var options = RunOptions()
        let words = arguments.first == "serve" ? arguments.dropFirst() : arguments
        let end = try apply(words, environment, RunOptions.table, to: &options)
        if let end { return end }
        try options.complete(environment)
        return .serve(options)
    }

    /// Applies flags, `--port 80` or `--port=80`, and the variables of absent ones. Returns the
    /// command instead of the one with these options, if a flag asks for it.
    private static func apply<Options>(
        _ words: ArraySlice<String>, _ environment: [String: String],
        _ table: [CommandOption<Options>], to options: inout Options
    ) throws(StartError) -> Command? {
        var values: [String: [String]] = [:]
        var remaining = words
        while let word = remaining.popFirst() {
            if ["--help", "-h"].contains(word) { return .help }
            if word == "--version" { return .version }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let flag = parts.first, table.contains(where: { $0.flag == flag }) else {
                throw StartError("unknown option \(word.prefix(60)); see foyer --help.")
            }
            let isSwitch = table.contains { $0.flag == flag && $0.valueName == nil }
            guard let value = parts.count > 1 ? parts[1] : isSwitch ? "" : remaining.popFirst()
            else {
                throw StartError("\(flag) needs a value; see foyer --help.")
            }
            values[flag, default: []].append(value)
        }
        for option in table {
            let variable = option.variable.flatMap { environment[$0] } ?? ""
            for value in values[option.flag] ?? (variable.isEmpty ? [] : [variable]) {
                try option.apply(&options, value)
            }
        }
        return nil
    }
}

/// An option of a command: a flag, its variable, its lines in the help, and what its value sets.
struct CommandOption<Options> {
    let flag: String
    /// The environment variable that the flag overrides; nil for none.
    let variable: String?
    /// Nil for a switch.
    let valueName: String?
    let description: String
    /// Called for each of its values, in their order.
    let apply: (inout Options, String) throws(StartError) -> Void

    init(
        _ flag: String, _ variable: String?, _ valueName: String?, _ description: String,
        _ apply: @escaping (inout Options, String) throws(StartError) -> Void
    ) {
        self.flag = flag
        self.variable = variable
        self.valueName = valueName
        self.description = description
        self.apply = apply
    }

    var help: [String] {
        [
            "  \(flag)" + (valueName.map { " \($0)" } ?? "") + (variable.map { "  (\($0))" } ?? ""),
            "      \(description)",
        ]
    }

    /// An option that sets a text.
    init(
        _ flag: String, _ variable: String?, _ valueName: String, _ description: String,
        sets path: WritableKeyPath<Options, String?>
    ) { self.init(flag, variable, valueName, description) { $0[keyPath: path] = $1 } }

    /// An option that sets a number within `range`.
    init<Number: FixedWidthInteger>(
        _ flag: String, _ variable: String?, _ valueName: String, _ description: String,
        sets path: WritableKeyPath<Options, Number>, in range: ClosedRange<Number>
    ) {
        self.init(flag, variable, valueName, description) { (options, text) throws(StartError) in
            guard let number = Number(text), range.contains(number) else {
                throw StartError(
                    "\(flag) is \(text.prefix(20)); valid values: \(range.lowerBound) to "
                        + "\(range.upperBound).")
            }
            options[keyPath: path] = number
        }
    }
}
