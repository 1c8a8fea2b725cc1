extension ManifestNode {
    /// A list of fields for all of `calls`, or a rule per call.
    func resumeRules(for calls: [String]) throws(ManifestError) -> [String: Action.ResumeRule] {
        var rules: [String: Action.ResumeRule] = [:]
        if case .array = document.value {
            let sharedRule = try Action.ResumeRule(self)
            for name in calls { rules[name] = sharedRule }
            return rules
        }
        for (name, node) in try members() {
            guard calls.contains(name) else {
                throw node.error(
                    "This action does not make the call \(name)",
                    SpellingSuggestion.fix(name, calls))
            }
            rules[name] = try Action.ResumeRule(node)
        }
        return rules
    }
}

extension Action.ResumeRule {
    /// `[fields]`, or `{ fields: […], changed: { field: 'call' } }`.
    fileprivate init(_ node: ManifestNode) throws(ManifestError) {
        if case .array = node.document.value {
            self.init(unchangedFields: try node.strings())
            return
        }
        try node.allowOnly("fields", "changed")
        self.init(unchangedFields: try node.require("fields").strings())
        guard let node = node["changed"] else { return }
        for (name, node) in try node.members() {
            guard !unchangedFields.contains(name) else {
                throw node.error(
                    "Listed in both fields and changed",
                    "Remove it from fields or from changed.")
            }
            callsOnChange[name] = try node.string()
        }
    }
}
