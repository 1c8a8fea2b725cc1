import Web

extension Form {
    /// What was chosen under `name`; nil without a choice. Throws a `Problem`
    /// that tells what there is for anything else.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of: Choice.Type = Choice.self
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try choice(name, of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
    }

    func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
        try Self.choice(self[name], named: name, of: words)
    }

    /// The same of any value that was given, of a form or an address.
    static func choice(_ given: String?, named name: String, of words: [String]) throws(Problem)
        -> String?
    {
        guard let text = given, !text.isEmpty else { return nil }
        if words.contains(text) { return text }
        throw .unknownChoice(name, words.joined(separator: ", "))
    }
}

extension Problem {
    /// `known` is what there is, for a sentence.
    static func unknownChoice(_ name: String, _ known: String) -> Problem {
        Problem(
            status: 400, code: "unknown-choice", title: "There is no such choice",
            detail: "\(name) can be \(known).",
            errors: [.init(pointer: "/\(name)", detail: "it can be \(known)")])
    }
}
