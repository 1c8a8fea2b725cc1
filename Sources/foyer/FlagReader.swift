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
            throw StartError("\(argument.prefix(60)) is unknown; see foyer --help.")
        }
        guard let value = parts.count > 1 ? String(parts[1]) : remaining.popFirst() else {
            throw StartError("\(flag) needs a value; see foyer --help.")
        }
        return .flag(flag, value)
    }
}
