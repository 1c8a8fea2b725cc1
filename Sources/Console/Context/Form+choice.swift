import Web

extension Form {
    /// The choice made for `name`; nil for none. Throws a `Problem` that lists the choices for any
    /// other value.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of: Choice.Type = Choice.self
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try choice(name, of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
    }

    func choice(_ name: String, of choices: [String]) throws(Problem) -> String? {
        try Self.choice(self[name], named: name, of: choices)
    }

    /// The same for any value, of a form or a query.
    static func choice(_ value: String?, named name: String, of choices: [String]) throws(Problem)
        -> String?
    {
        guard let text = value, !text.isEmpty else { return nil }
        if choices.contains(text) { return text }
        throw .unknownChoice(name, choices.joined(separator: ", "))
    }
}

extension Problem {
    /// `known` lists the choices, for a sentence.
    static func unknownChoice(_ name: String, _ choices: String) -> Problem {
        Problem(
            status: 400, code: "unknown-choice", title: "Invalid value",
            detail: "Valid values of \(name): \(choices).",
            errors: [.init(pointer: "/\(name)", detail: "valid values: \(choices)")])
    }
}
