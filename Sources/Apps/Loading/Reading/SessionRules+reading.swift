extension SessionRules {
    init(_ source: Source?) throws(ManifestError) {
        try source?.only("refresh", "refreshBefore", "probe", "lost")
        refresh = try source?["refresh"]?.string()
        refreshBefore = try source?["refreshBefore"]?.int(in: 0...86_400) ?? 0
        probe = try source?["probe"]?.string()
        lost = nil
        if let source = source?["lost"] {
            try source.only("clear", "go", "message", "show", "title")
            lost = Lost(
                clear: try source["clear"]?.choices() ?? [], go: try source.need("go").string(),
                message: try source["message"]?.string(),
                show: try source["show"]?.choice() ?? .inline, title: try source["title"]?.string())
        }
    }
}

extension LaunchRow {
    init(_ source: Source) throws(ManifestError) {
        try source.only(
            "stored", "missing", "where", "call", "calls", "store", "clear", "go", "goWhen",
            "otherwise", "renew")
        stored = try source["stored"]?.strings() ?? []
        missing = try source["missing"]?.strings() ?? []
        `where` = try source["where"]?.texts() ?? [:]
        calls = try source["calls"]?.strings() ?? []
        if let source = source["call"] { calls.append(try source.string()) }
        store = try source["store"]?.strings() ?? []
        clear = try source["clear"]?.choices() ?? []
        go = try source.need("go").string()
        goWhen = source.rows("goWhen")
        otherwise = try source["otherwise"]?.texts() ?? [:]
        renew = try source["renew"]?.bool() ?? false
        if source["call"] != nil, source["calls"] != nil {
            throw source.error("call and calls stand side by side", "Put all in calls.")
        }
    }

    /// Whether the row is taken whatever is stored.
    var isUnconditional: Bool { stored.isEmpty && missing.isEmpty && `where`.isEmpty }
}
