import Apps
import FoundationEssentials
import Testing

/// `templates/apps/README.md` documents every key that the loader reads, and no other.
@Suite(.timeLimit(.minutes(10))) struct ManifestTextTests {
    /// The types whose keys each heading of the reference documents.
    private static let sections = [
        "The file": ["App"],
        "look": ["App.Look"],
        "settings": ["App.Setting"],
        "backends": ["AppBackend"], "tables": ["AppTable"],
        "network": ["AppBackend.Network", "AppBackend.Messages"],
        "storage": ["App.StorageKey"],
        "memory": ["App.MemoryKey"],
        "A call": ["Call"],
        "request": ["RequestTemplate"],
        "success": ["Call.Success"],
        "failures": ["Call.Failure"],
        "session": ["SessionRules", "SessionRules.Expiry"],
        "launch": ["SessionRules.LaunchRow"],
        "goWhen": ["Action.NavigationRule"],
        "A screen": ["Screen", "Screen.Validation"],
        "fields": ["Field", "Field.Option", "Field.Link"], "rules": ["Field.Rule"],
        "links": ["Screen.Link"],
        "An action": [
            "Action", "Action.EnabledRule", "Action.Confirmation", "Action.Alert",
            "Action.FailureHandling",
            "Action.BiometricCheck", "BrowserPage", "Action.ResumeRule", "Action.Finish",
        ], "walkthrough": ["App.WalkthroughEntry", "App.WalkthroughPoint"],
    ]

    @Test(arguments: sections.keys.sorted())
    func `the loader's keys and the documented keys are the same`(
        heading: String
    ) throws {
        let loaderKeys = try Self.loaderKeys()
        var read = (Self.sections[heading] ?? []).reduce(into: Set()) {
            $0.formUnion(loaderKeys[$1] ?? [])
        }
        // `Rule` checks its keys itself and lets its caller read `fields`.
        if heading == "rules" { read.insert("fields") }
        let documented = try Self.documentedKeys(under: heading)
        #expect(!read.isEmpty)
        #expect(read.subtracting(documented) == [], "not documented")
        #expect(documented.subtracting(read) == [], "unknown to the loader")
    }

    @Test func `every type with keys has a section in the reference`() throws {
        let documented = Set(Self.sections.values.flatMap(\.self))
        let read = try Set(Self.loaderKeys().keys)
        #expect(read.subtracting(documented) == [])
    }

    @Test func `every value of an enumeration is documented`() throws {
        let text = try Self.reference()
        let values =
            raw(App.Appearance.self) + raw(StorageKey.Area.self) + raw(Network.RetryReason.self)
            + raw(Call.Success.Body.self) + raw(Call.Failure.SessionEffect.self)
            + raw(Screen.Kind.self)
            + raw(Screen.Requirement.self) + raw(Screen.ErrorPlacement.self) + raw(Field.Kind.self)
            + raw(Field.ReturnKey.self) + raw(Action.FailureHandling.Presentation.self)
        #expect(values.count > 25)
        for value in values { #expect(text.contains("`'\(value)'`"), "\(value)") }
    }

    @Test func `the README's example app loads`() throws {
        let data = try Data(contentsOf: Manifests.root.appending(path: "README.md"))
        let parts = String(decoding: data, as: UTF8.self).split(separator: "```json5\n")
        let text = try #require(parts.dropFirst().first).split(separator: "```").first
        let app = try App(id: "raft", file: "raft/app.json5", text: String(try #require(text)))
        #expect(app.name == "Raft")
        #expect(app.backends.count == 2)
    }

    // MARK: The loader

    private func raw<Value: CaseIterable & RawRepresentable>(_: Value.Type) -> [String]
    where Value.RawValue == String { Value.allCases.map(\.rawValue) }

    /// The keys that each type in `Apps/Manifest` allows: the arguments of the call that refuses all
    /// others, and the lists of a rule's tests and members. A type inside another is named by its
    /// file too.
    private static func loaderKeys() throws -> [String: Set<String>] {
        let folder = Manifests.root.appending(path: "Sources/Apps/Manifest").path
        var keysByType: [String: Set<String>] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            let fileName = String(file.dropLast(".swift".count))
            var type = fileName
            var isKeyList = false
            for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
                let words = line.split { " :({".contains($0) }
                if let index = words.firstIndex(where: { ["struct", "class", "enum"].contains($0) }
                ),
                    words.first == "package", words.indices.contains(index + 1)
                {
                    let name = String(words[index + 1])
                    type = name == fileName ? name : "\(fileName).\(name)"
                }
                isKeyList =
                    isKeyList || line.contains(".allowOnly(") || line.contains("let tests = ")
                if isKeyList { keysByType[type, default: []].formUnion(literals(line)) }
                if line.contains("]") { isKeyList = false }
            }
        }
        return keysByType
    }

    private static func literals(_ text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }.map { String($0.element) }
    }

    // MARK: The reference

    private static func reference() throws -> String {
        String(
            decoding: try Data(
                contentsOf: Manifests.root.appending(path: "templates/apps/README.md")),
            as: UTF8.self)
    }

    /// The keys in the first column of the table under `heading`: the last component of each code
    /// span.
    private static func documentedKeys(under heading: String) throws -> Set<String> {
        let lines = try reference().split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(
            lines.firstIndex { $0 == "## \(heading)" || $0 == "### \(heading)" })
        let body = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        let cells = body.filter { $0.hasPrefix("| `") }.compactMap {
            $0.split(separator: "|").first
        }
        return Set(
            cells.flatMap { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
                    $0.offset % 2 == 1
                }.compactMap { $0.element.split(separator: ".").last }.map(String.init)
            })
    }
}
