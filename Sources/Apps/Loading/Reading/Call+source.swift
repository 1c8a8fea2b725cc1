import Web

extension Call {
    init(_ source: Source) throws(ManifestError) {
        try source.only(
            "request", "success", "failures", "messageAt", "fieldMessageAt", "bestEffort",
            "retries", "remember")
        request = try RequestTemplate(source.need("request"))
        success = try Success(source["success"])
        failures = try [Failure](source["failures"])
        messageAt = try source["messageAt"]?.pointers() ?? []
        fieldMessageAt = [:]
        for (name, source) in try source["fieldMessageAt"]?.members() ?? [] {
            fieldMessageAt[name] = try source.pointers()
        }
        bestEffort = try source["bestEffort"]?.bool() ?? false
        retries = try source["retries"]?.int(in: 0...10)
        remember = try source["remember"]?.texts() ?? [:]
    }
}

extension Call {
    /// A call with its name.
    static func named(_ source: Source, _ name: String) throws(ManifestError) -> (
        name: String, call: Call
    ) { (try source.identifier(name), try Call(source)) }
}

extension Call.Success {
    init(_ source: Source?) throws(ManifestError) {
        try source?.only("status", "capture", "require", "body", "where")
        status = try source?["status"]?.statuses() ?? []
        capture = [:]
        for (name, source) in try source?["capture"]?.members() ?? [] {
            capture[try source.identifier(name)] = try source.pointers()
        }
        require = try source?["require"]?.strings() ?? []
        body = try source?["body"]?.choice() ?? .json
        `where` = try source?["where"]?.expectations() ?? [:]
    }
}

extension [Call.Failure] {
    init(_ source: Source?) throws(ManifestError) {
        self = try source?.each(Call.Failure.init(_:)) ?? []
    }
}

extension Call.Failure {
    init(_ source: Source) throws(ManifestError) {
        try source.only("status", "where", "message", "field", "go", "kind", "session", "passes")
        status = try source["status"]?.statuses() ?? []
        `where` = try source["where"]?.expectations() ?? [:]
        message = try source["message"]?.string()
        field = try source["field"]?.string()
        go = try source["go"]?.string()
        kind = try source["kind"]?.string()
        session = try source["session"]?.choice()
        passes = try source["passes"]?.bool() ?? false
        if passes, message != nil || field != nil || go != nil || kind != nil {
            throw source.error(
                "a failure that passes says and does nothing", "Take out passes, or the rest.")
        }
    }
}

extension Source {
    /// JSON Pointers, in order; one alone is a list of one.
    func pointers() throws(ManifestError) -> [String] {
        let texts = try strings()
        for text in texts where !Pointer.isValid(text) { throw badPointer(text) }
        guard !texts.isEmpty else {
            throw error("no pointer stands here", "Write one like '/user/id'.")
        }
        return texts
    }

    /// Pointer to expected text.
    func expectations() throws(ManifestError) -> [String: String] {
        var expected: [String: String] = [:]
        for (pointer, source) in try members() {
            guard Pointer.isValid(pointer) else { throw source.badPointer(pointer) }
            expected[pointer] = try source.scalar()
        }
        return expected
    }

    private func badPointer(_ text: String) -> ManifestError {
        error(
            "'\(text)' is no JSON Pointer",
            "Begin with a slash; ~ is written ~0 and / in a name ~1."
                + " '/' alone is the whole document.")
    }

    /// Status codes; `5xx` stands for the hundred of them.
    func statuses() throws(ManifestError) -> [Int] {
        var statuses: [Int] = []
        guard case .array = outline.value else { return try status() }
        for element in try elements() { statuses += try element.status() }
        return statuses
    }

    private func status() throws(ManifestError) -> [Int] {
        if case .string(let text) = outline.value {
            guard text.utf8.count == 3, text.hasSuffix("xx"), let hundred = Int(text.prefix(1)),
                (1...5).contains(hundred)
            else {
                throw error(
                    "'\(text)' is no class of statuses",
                    "Write '4xx' or '5xx', or a status like 404.")
            }
            return Array(hundred * 100..<(hundred + 1) * 100)
        }
        return [try int(in: 100...599)]
    }
}
