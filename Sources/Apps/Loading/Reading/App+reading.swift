extension App.Body {
    /// Reads what stands in `source`; what its parts say of one another is
    /// checked afterwards.
    init(id: String, _ source: Source) throws(ManifestError) {
        try source.only(
            "name", "order", "spec", "appearance", "look", "settings",
            "backends", "network", "memory", "storage", "calls", "failures",
            "session", "launch", "screens", "walkthrough")
        self.id = id
        let name = source.attempt { source throws(ManifestError) in try source.need("name").string()
        }
        self.name = name ?? id
        order =
            source.attempt("order") { source throws(ManifestError) in
                try source?.int(in: 0...10_000) ?? 1000
            } ?? 0
        spec =
            source.attempt("spec") { source throws(ManifestError) in try source?.string() } ?? nil
        appearance =
            source.attempt("appearance") { source throws(ManifestError) in
                try source?.choice() ?? .system
            } ?? .system
        let look = source.attempt("look") { source throws(ManifestError) in
            try App.Look(source, name: name ?? id)
        }
        self.look = if let look { look } else { try App.Look(nil, name: name ?? id) }
        settings = source.members("settings", App.Setting.init(_:name:))
        memory = source.members("memory", App.Memory.init(_:name:))
        backends =
            source.attempt { source throws(ManifestError) in try [Backend](source.need("backends"))
            } ?? []
        network = source.attempt("network", Network.init(_:)) ?? Network()
        storage = source.members("storage", StorageKey.init(_:key:))
        calls = [:]
        for (name, call) in source.members("calls", Call.named) { calls[name] = call }
        let session = source.attempt("session", SessionRules.init(_:))
        self.session = if let session { session } else { try SessionRules(nil) }
        launch =
            source.attempt { source throws(ManifestError) in
                try source.need("launch").each(LaunchRow.init(_:))
            } ?? []
        screens =
            source.attempt { source throws(ManifestError) in
                try source.need("screens").eachMember(Screen.init(_:id:))
            } ?? []
        walkthrough = source.list("walkthrough", App.Step.init(_:))
        share(source.list("failures", Call.Failure.init(_:)))
    }
}

extension App.Body {
    /// Failures every call knows, after its own.
    private mutating func share(_ failures: [Call.Failure]) {
        for name in calls.keys { calls[name]?.failures += failures }
        for index in backends.indices {
            for name in backends[index].calls.keys {
                backends[index].calls[name]?.failures += failures
            }
        }
    }
}

extension App.Look {
    /// An app without a look of its own gets its first letter on grey.
    init(_ source: Source?, name: String) throws(ManifestError) {
        try source?.only("glyph", "ground", "letter", "cover", "glow")
        glyph = try source?["glyph"]?.string() ?? String(name.prefix(1))
        ground = try source?["ground"]?.colour() ?? "#3A3F47"
        letter = try source?["letter"]?.colour() ?? "#FFFFFF"
        cover = try source?["cover"]?.colour() ?? ground
        glow = try source?["glow"]?.colour() ?? cover
        if let source = source?["glyph"], !(1...2).contains(glyph.count) {
            throw source.error("a glyph is one or two letters", "Write it like 'M'.")
        }
    }
}

extension App.Setting {
    init(_ source: Source, name: String) throws(ManifestError) {
        try source.only("label", "secret", "default", "missing")
        self.name = try source.identifier(name)
        label = try source.need("label").string()
        secret = try source["secret"]?.bool() ?? false
        `default` = try source["default"]?.string()
        missing = try source["missing"]?.string()
    }
}

extension App.Memory {
    init(_ source: Source, name: String) throws(ManifestError) {
        try source.only("per", "otherwise", "claim")
        self.name = try source.identifier(name)
        per = try source["per"]?.string()
        otherwise = try source["otherwise"]?.string()
        claim = try source["claim"]?.string()
    }
}

extension App.Step {
    init(_ source: Source) throws(ManifestError) {
        try source.only("screen", "note", "points")
        screen = try source.need("screen").string()
        note = try source.need("note").string()
        points = source.list("points", App.Point.init(_:))
    }
}

extension App.Point {
    init(_ source: Source) throws(ManifestError) {
        try source.only("at", "lead", "text")
        at = try source["at"]?.string()
        lead = try source.need("lead").string()
        text = try source.need("text").string()
    }
}

extension StorageKey {
    init(_ source: Source, key: String) throws(ManifestError) {
        try source.only(
            "area", "holds", "fromNow", "accessible", "value", "fields", "biometric", "survives")
        self.key = key
        area = try source.need("area").choice()
        holds = try source["holds"]?.string()
        fromNow = try source["fromNow"]?.bool() ?? false
        accessible = try source["accessible"]?.string()
        value = try source["value"]?.string()
        fields = try source["fields"]?.strings() ?? []
        biometric = try source["biometric"]?.bool() ?? false
        survives = try source["survives"]?.bool() ?? false
        let contents = [holds != nil, value != nil, !fields.isEmpty]
        guard contents.filter({ $0 }).count == 1 else {
            throw source.error(
                "a storage key holds a captured value, a constant or fields",
                "Give it holds: 'name', value: 'text' or fields: ['name'], one of them.")
        }
        guard holds != nil || !fromNow else {
            throw source.error(
                "only a captured value can be seconds from now",
                "Give it holds: 'expiresIn', or leave out fromNow.")
        }
    }
}

extension Source {
    /// `#RRGGBB`.
    func colour() throws(ManifestError) -> String {
        let text = try string()
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit)
        else { throw error("\(text) is no colour", "Write it like '#2D1810'.") }
        return text
    }
}
