/// An option of a command: a flag, its variable, its lines in the help, and what its value sets.
struct CommandOption<Options> {
    let flag: String
    /// The environment variable that the flag overrides; nil for none.
    let variable: String?
    let valueName: String
    let description: String
    /// Called for each of its values, in their order.
    let apply: (inout Options, String) throws(StartError) -> Void

    init(
        _ flag: String, _ variable: String?, _ valueName: String, _ description: String,
        _ apply: @escaping (inout Options, String) throws(StartError) -> Void
    ) {
        self.flag = flag
        self.variable = variable
        self.valueName = valueName
        self.description = description
        self.apply = apply
    }

    var help: [String] {
        ["  \(flag) \(valueName)" + (variable.map { "  (\($0))" } ?? ""), "      \(description)"]
    }
}

extension CommandOption {
    /// An option that sets a text.
    init(
        _ flag: String, _ variable: String?, _ valueName: String, _ description: String,
        sets path: WritableKeyPath<Options, String?>
    ) { self.init(flag, variable, valueName, description) { $0[keyPath: path] = $1 } }

    /// An option that sets a number within `range`.
    init(
        _ flag: String, _ variable: String?, _ valueName: String, _ description: String,
        sets path: WritableKeyPath<Options, Int>, in range: ClosedRange<Int>
    ) {
        self.init(flag, variable, valueName, description) { (options, text) throws(StartError) in
            guard let number = Int(text), range.contains(number) else {
                throw StartError(
                    "\(flag) is \(text.prefix(20)); valid values: \(range.lowerBound) to "
                        + "\(range.upperBound).")
            }
            options[keyPath: path] = number
        }
    }
}
