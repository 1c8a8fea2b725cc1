extension Source {
    /// Fields for all of `calls`, or what counts for single ones.
    func resume(of calls: [String]) throws(ManifestError) -> [String: Action.Resume] {
        var resume: [String: Action.Resume] = [:]
        if case .array = outline.value {
            let all = try Action.Resume(self)
            for name in calls { resume[name] = all }
            return resume
        }
        for (name, source) in try members() {
            guard calls.contains(name) else {
                throw source.error(
                    "this action does not make the call \(name)", Nearest.mend(name, calls))
            }
            resume[name] = try Action.Resume(source)
        }
        return resume
    }
}

extension Action.Resume {
    /// `[fields]`, or `{ fields: […], changed: { field: 'call' } }`.
    fileprivate init(_ source: Source) throws(ManifestError) {
        if case .array = source.outline.value {
            self.init(fields: try source.strings())
            return
        }
        try source.only("fields", "changed")
        self.init(fields: try source.need("fields").strings())
        guard let source = source["changed"] else { return }
        for (name, source) in try source.members() {
            guard !fields.contains(name) else {
                throw source.error(
                    "\(name) cannot both keep its value and change",
                    "Take it out of fields, or out of changed.")
            }
            changed[name] = try source.string()
        }
    }
}
