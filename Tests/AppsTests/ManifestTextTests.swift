import Apps
import FoundationEssentials
import Testing

/// Every key the loader knows has words in `templates/apps/README.md`, and
/// every key there is one the loader knows.
@Suite(.timeLimit(.minutes(10))) struct ManifestTextTests {
    /// Heading in the reference to what is read under it.
    private static let sections = [
        "The file": ["App.Body"],
        "look": ["App.Look"],
        "settings": ["App.Setting"],
        "backends": ["Backend"],
        "network": ["Network"],
        "storage": ["StorageKey"],
        "memory": ["App.Memory"],
        "A call": ["Call"],
        "request": ["RequestTemplate"],
        "success": ["Call.Success"],
        "failures": ["Call.Failure"],
        "session": ["SessionRules"],
        "launch": ["LaunchRow"],
        "goWhen": ["Action.GoRow"],
        "A screen": ["Screen", "Screen.Validation"],
        "fields": ["Field", "Field.Option", "Field.Link"], "rules": ["Rule", "Screen.FieldsRule"],
        "links": ["Screen.Link"],
        "An action": [
            "Action", "Action.Enabled", "Action.Confirm", "Action.Alert", "Action.OnFailure",
            "Action.Biometric", "Action.Resume",
        ], "walkthrough": ["App.Step", "App.Point"],
    ]

    @Test(arguments: sections.keys.sorted()) func `the keys read and the keys told are the same`(
        heading: String
    ) throws {
        let known = try Self.known()
        var read = (Self.sections[heading] ?? []).reduce(into: Set()) {
            $0.formUnion(known[$1] ?? [])
        }
        // Rules test their names by hand, and share the screen's.
        if heading == "rules" { read.insert("fields") }
        let told = try Self.told(under: heading)
        #expect(!read.isEmpty)
        #expect(read.subtracting(told) == [], "without words")
        #expect(told.subtracting(read) == [], "unknown to the loader")
    }

    @Test func `everything that is read has its place in the reference`() throws {
        let placed = Set(Self.sections.values.flatMap(\.self))
        let read = try Set(Self.known().keys)
        #expect(read.subtracting(placed) == [])
    }

    @Test func `every value one may choose from is told`() throws {
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

    @Test func `the README's small app is one`() throws {
        let data = try Data(contentsOf: Manifests.root.appending(path: "README.md"))
        let parts = String(decoding: data, as: UTF8.self).split(separator: "```json5\n")
        let text = try #require(parts.dropFirst().first).split(separator: "```").first
        let app = try App(id: "raft", file: "raft/app.json5", text: String(try #require(text)))
        #expect(app.name == "Raft")
        #expect(app.backends.count == 2)
    }

    // MARK: What is read

    private func raw<Value: CaseIterable & RawRepresentable>(_: Value.Type) -> [String]
    where Value.RawValue == String { Value.allCases.map(\.rawValue) }

    /// The keys each `extension` in `Loading/Reading` lets pass, from the
    /// names given to `only(…)` and to the list of a rule's tests.
    private static func known() throws -> [String: Set<String>] {
        let folder = Manifests.root.appending(path: "Sources/Apps/Loading/Reading").path
        var known: [String: Set<String>] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            let text = String(decoding: data, as: UTF8.self)
            for part in ("\n" + text).split(separator: "\nextension ") {
                let name = String(part.prefix { $0 != " " && $0 != ":" })
                var keys: Set<String> = []
                for opening in [".only(", "let tests = ["] {
                    for list in part.ranges(of: opening) {
                        let rest = part[list.upperBound...]
                        keys.formUnion(literals(rest.prefix { $0 != ")" && $0 != "]" }))
                    }
                }
                if name == "Rule" { keys.formUnion(["message", "live"]) }
                if !keys.isEmpty { known[name, default: []].formUnion(keys) }
            }
        }
        return known
    }

    private static func literals(_ text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }.map { String($0.element) }
    }

    // MARK: What is told

    private static func reference() throws -> String {
        String(
            decoding: try Data(
                contentsOf: Manifests.root.appending(path: "templates/apps/README.md")),
            as: UTF8.self)
    }

    /// The last names of what stands in code in the first column of the table
    /// under `heading`.
    private static func told(under heading: String) throws -> Set<String> {
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
