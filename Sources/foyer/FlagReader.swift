/// The words of a command line, flag by flag.
struct FlagReader {
    private var rest: ArraySlice<String>
    private let known: [String]

    enum Word {
        case help
        case version
        case flag(String, String)
    }

    init(_ words: ArraySlice<String>, known: [String]) {
        rest = words
        self.known = known
    }

    /// The next flag with its value, `--port 80` or `--port=80`; nil at the
    /// end.
    mutating func next() throws(StartError) -> Word? {
        guard let word = rest.popFirst() else { return nil }
        switch word {
        case "--help", "-h": return .help
        case "--version": return .version
        default: break
        }
        let parts = word.split(separator: "=", maxSplits: 1)
        guard let flag = parts.first.map(String.init), known.contains(flag) else {
            throw StartError("\(word.prefix(60)) is unknown; see foyer --help.")
        }
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
            throw StartError("\(flag) needs a value; see foyer --help.")
        }
        return .flag(flag, value)
    }
}
