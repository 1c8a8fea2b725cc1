extension SessionRules {
    init(_ node: ManifestNode?) throws(ManifestError) {
        try node?.allowOnly("refresh", "refreshBefore", "probe", "expired")
        refreshCall = try node?["refresh"]?.string()
        refreshLeadSeconds = try node?["refreshBefore"]?.int(in: 0...86_400) ?? 0
        probeCall = try node?["probe"]?.string()
        expired = nil
        if let node = node?["expired"] {
            try node.allowOnly("clear", "go", "message", "show", "title")
            expired = Expiry(
                areasToClear: try node["clear"]?.choices() ?? [],
                destination: try node.require("go").string(),
                message: try node["message"]?.string(),
                presentation: try node["show"]?.choice() ?? .inline,
                title: try node["title"]?.string())
        }
    }
}

extension LaunchRow {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly(
            "stored", "missing", "where", "call", "calls", "store", "clear", "go", "goWhen",
            "onFailure", "refresh")
        requiredNames = try node["stored"]?.strings() ?? []
        absentNames = try node["missing"]?.strings() ?? []
        `expectedValues` = try node["where"]?.stringMembers() ?? [:]
        calls = try node["calls"]?.strings() ?? []
        if let node = node["call"] { calls.append(try node.string()) }
        namesToStore = try node["store"]?.strings() ?? []
        areasToClear = try node["clear"]?.choices() ?? []
        destination = try node.require("go").string()
        navigationRules = node.navigationRules("goWhen")
        onFailure = try node["onFailure"]?.stringMembers() ?? [:]
        refreshesExpiredToken = try node["refresh"]?.bool() ?? false
        if node["call"] != nil, node["calls"] != nil {
            throw node.error("Both call and calls", "Move all to calls.")
        }
    }

    /// Whether the row matches regardless of what is stored.
    var isUnconditional: Bool {
        requiredNames.isEmpty && absentNames.isEmpty && `expectedValues`.isEmpty
    }
}
