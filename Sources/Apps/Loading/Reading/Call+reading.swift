import Web

extension Call {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly(
            "request", "success", "failures", "messagePointers", "fieldMessagePointers",
            "bestEffort",
            "retries", "remember")
        request = try RequestTemplate(node.require("request"))
        success = try Success(node["success"])
        failures = try [Failure](node["failures"])
        messagePointers = try node["messagePointers"]?.pointers() ?? []
        fieldMessagePointers = [:]
        for (name, node) in try node["fieldMessagePointers"]?.members() ?? [] {
            fieldMessagePointers[name] = try node.pointers()
        }
        isBestEffort = try node["bestEffort"]?.bool() ?? false
        retries = try node["retries"]?.int(in: 0...10)
        valuesToRemember = try node["remember"]?.stringMembers() ?? [:]
    }
}

extension Call {
    /// A call and its name.
    static func makeCall(_ node: ManifestNode, _ name: String) throws(ManifestError) -> (
        name: String, call: Call
    ) { (try node.identifier(name), try Call(node)) }
}

extension Call.Success {
    init(_ node: ManifestNode?) throws(ManifestError) {
        try node?.allowOnly("status", "capture", "require", "body", "where")
        status = try node?["status"]?.statuses() ?? []
        capturePointers = [:]
        for (name, node) in try node?["capture"]?.members() ?? [] {
            capturePointers[try node.identifier(name)] = try node.pointers()
        }
        requiredNames = try node?["require"]?.strings() ?? []
        body = try node?["body"]?.choice() ?? .json
        `expectedValues` = try node?["where"]?.expectedValues() ?? [:]
    }
}

extension [Call.Failure] {
    init(_ node: ManifestNode?) throws(ManifestError) {
        self = try node?.readElements(Call.Failure.init(_:)) ?? []
    }
}

extension Call.Failure {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly(
            "status", "where", "message", "field", "go", "kind", "session", "treatAsSuccess")
        status = try node["status"]?.statuses() ?? []
        `expectedValues` = try node["where"]?.expectedValues() ?? [:]
        message = try node["message"]?.string()
        field = try node["field"]?.string()
        destination = try node["go"]?.string()
        kind = try node["kind"]?.string()
        sessionEffect = try node["session"]?.choice()
        treatAsSuccess = try node["treatAsSuccess"]?.bool() ?? false
        if treatAsSuccess, message != nil || field != nil || destination != nil || kind != nil {
            throw node.error(
                "A failure treated as success cannot have other effects",
                "Remove treatAsSuccess, or the rest.")
        }
    }
}

extension ManifestNode {
    /// JSON Pointers in order; a single one is a list of one.
    func pointers() throws(ManifestError) -> [String] {
        let texts = try strings()
        for text in texts where !JSONPointer.isValid(text) { throw pointerError(text) }
        guard !texts.isEmpty else {
            throw error("No JSON Pointer", "Write one like '/user/id'.")
        }
        return texts
    }

    /// Expected texts by pointer.
    func expectedValues() throws(ManifestError) -> [String: String] {
        var expected: [String: String] = [:]
        for (pointer, node) in try members() {
            guard JSONPointer.isValid(pointer) else { throw node.pointerError(pointer) }
            expected[pointer] = try node.scalarText()
        }
        return expected
    }

    private func pointerError(_ text: String) -> ManifestError {
        error(
            "Invalid JSON Pointer '\(text)'",
            "Start with a slash; write ~ as ~0 and / in a name as ~1."
                + " '/' alone is the full document.")
    }

    /// Status codes; `5xx` means all of 500 … 599.
    func statuses() throws(ManifestError) -> [Int] {
        var statuses: [Int] = []
        guard case .array = document.value else { return try status() }
        for element in try elements() { statuses += try element.status() }
        return statuses
    }

    private func status() throws(ManifestError) -> [Int] {
        if case .string(let text) = document.value {
            guard text.utf8.count == 3, text.hasSuffix("xx"), let hundred = Int(text.prefix(1)),
                (1...5).contains(hundred)
            else {
                throw error(
                    "Invalid status class '\(text)'",
                    "Write '4xx' or '5xx', or a status like 404.")
            }
            return Array(hundred * 100..<(hundred + 1) * 100)
        }
        return [try int(in: 100...599)]
    }
}
