extension App.Contents {
    /// Reads the manifest in `node`; `ManifestCheck` checks the cross-references afterwards.
    init(id: String, _ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly(
            "name", "order", "spec", "appearance", "look", "settings",
            "backends", "network", "memory", "storage", "calls", "failures",
            "session", "launch", "screens", "walkthrough")
        self.id = id
        let name = node.attempt { node throws(ManifestError) in try node.require("name").string()
        }
        self.name = name ?? id
        order =
            node.attempt("order") { node throws(ManifestError) in
                try node?.int(in: 0...10_000) ?? 1000
            } ?? 0
        spec =
            node.attempt("spec") { node throws(ManifestError) in try node?.string() } ?? nil
        appearance =
            node.attempt("appearance") { node throws(ManifestError) in
                try node?.choice() ?? .system
            } ?? .system
        let look = node.attempt("look") { node throws(ManifestError) in
            try App.Look(node, name: name ?? id)
        }
        self.look = if let look { look } else { try App.Look(nil, name: name ?? id) }
        settings = node.members("settings", App.Setting.init(_:name:))
        memory = node.members("memory", App.MemoryKey.init(_:name:))
        backends =
            node.attempt { node throws(ManifestError) in try [AppBackend](node.require("backends"))
            } ?? []
        network = node.attempt("network", Network.init(_:)) ?? Network()
        storage = node.members("storage", StorageKey.init(_:key:))
        calls = [:]
        for (name, call) in node.members("calls", Call.makeCall) { calls[name] = call }
        let session = node.attempt("session", SessionRules.init(_:))
        self.session = if let session { session } else { try SessionRules(nil) }
        launch =
            node.attempt { node throws(ManifestError) in
                try node.require("launch").readElements(LaunchRow.init(_:))
            } ?? []
        screens =
            node.attempt { node throws(ManifestError) in
                try node.require("screens").readMembers(Screen.init(_:id:))
            } ?? []
        walkthrough = node.list("walkthrough", App.WalkthroughEntry.init(_:))
        appendSharedFailures(node.list("failures", Call.Failure.init(_:)))
    }
}

extension App.Contents {
    /// Appends the failures shared by all calls after each call's own.
    private mutating func appendSharedFailures(_ failures: [Call.Failure]) {
        for name in calls.keys { calls[name]?.failures += failures }
        for index in backends.indices {
            for name in backends[index].calls.keys {
                backends[index].calls[name]?.failures += failures
            }
        }
    }
}

extension App.Look {
    /// Defaults: the first letter of the name on gray.
    init(_ node: ManifestNode?, name: String) throws(ManifestError) {
        try node?.allowOnly("glyph", "background", "letter", "cover", "glow")
        glyph = try node?["glyph"]?.string() ?? String(name.prefix(1))
        background = try node?["background"]?.color() ?? "#3A3F47"
        foreground = try node?["letter"]?.color() ?? "#FFFFFF"
        cover = try node?["cover"]?.color() ?? background
        glow = try node?["glow"]?.color() ?? cover
        if let node = node?["glyph"], !(1...2).contains(glyph.count) {
            throw node.error("A glyph has one or two letters", "Write it like 'M'.")
        }
    }
}

extension App.Setting {
    init(_ node: ManifestNode, name: String) throws(ManifestError) {
        try node.allowOnly("label", "secret", "default", "missing")
        self.name = try node.identifier(name)
        label = try node.require("label").string()
        isSecret = try node["secret"]?.bool() ?? false
        `defaultValue` = try node["default"]?.string()
        missingMessage = try node["missing"]?.string()
    }
}

extension App.MemoryKey {
    init(_ node: ManifestNode, name: String) throws(ManifestError) {
        try node.allowOnly("per", "default", "claim")
        self.name = try node.identifier(name)
        perField = try node["per"]?.string()
        defaultValue = try node["default"]?.string()
        claim = try node["claim"]?.string()
    }
}

extension App.WalkthroughEntry {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("screen", "note", "points")
        screen = try node.require("screen").string()
        note = try node.require("note").string()
        points = node.list("points", App.WalkthroughPoint.init(_:))
    }
}

extension App.WalkthroughPoint {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly("at", "lead", "text")
        target = try node["at"]?.string()
        heading = try node.require("lead").string()
        text = try node.require("text").string()
    }
}

extension StorageKey {
    init(_ node: ManifestNode, key: String) throws(ManifestError) {
        try node.allowOnly(
            "area", "holds", "fromNow", "accessible", "value", "fields", "biometric", "survives")
        self.key = key
        area = try node.require("area").choice()
        capturedName = try node["holds"]?.string()
        isSecondsFromNow = try node["fromNow"]?.bool() ?? false
        accessibility = try node["accessible"]?.string()
        value = try node["value"]?.string()
        fields = try node["fields"]?.strings() ?? []
        requiresBiometrics = try node["biometric"]?.bool() ?? false
        survivesClearing = try node["survives"]?.bool() ?? false
        let contents = [capturedName != nil, value != nil, !fields.isEmpty]
        guard contents.filter({ $0 }).count == 1 else {
            throw node.error(
                "Expected exactly one of holds, value and fields",
                "Write one of them: holds: 'name', value: 'text' or fields: ['name'].")
        }
        guard capturedName != nil || !isSecondsFromNow else {
            throw node.error(
                "Only a captured value can be seconds from now",
                "Add holds: 'expiresIn', or remove fromNow.")
        }
    }
}

extension ManifestNode {
    /// `#RRGGBB`.
    func color() throws(ManifestError) -> String {
        let text = try string()
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit)
        else { throw error("Invalid color \(text)", "Write it like '#2D1810'.") }
        return text
    }
}
