import Web

/// The name of a part of a manifest and the part's path.
typealias NamedPart = (name: String, path: [String])

/// The named parts of a manifest as they are written, whether they can be read or not.
struct ManifestParts {
    let screens: [NamedPart]
    let calls: [NamedPart]
    let settings: [NamedPart]
    let memory: [NamedPart]
    /// By storage key.
    let storage: [NamedPart]
    /// What is stored, by its captured name or its key.
    let stored: [NamedPart]
    /// What is stored or in memory under a captured name.
    let held: [NamedPart]
    /// What calls capture, in any dialect.
    let captured: [NamedPart]
    let allFields: [NamedPart]
    /// The captured names of storage keys that no call captures and no field has.
    let uncapturedKeys: [NamedPart]
    private let fieldsByScreen: [String: [NamedPart]]

    init(_ record: ManifestRecord) {
        /// The member `name` of a part, which may be misspelled, and its path.
        func member(_ name: String, of part: (json: JSON?, path: [String])) -> (
            json: JSON?, path: [String]
        ) {
            let written = record.misspelledMembers[part.path]?[name] ?? name
            let name = part.json?[name] == nil ? written : name
            return (part.json?[name], part.path + [name])
        }
        func parts(_ part: (json: JSON?, path: [String])) -> [NamedPart] {
            guard case .object(let members)? = part.json else { return [] }
            return members.map { ($0.name, part.path + [$0.name]) }
        }
        func captures(_ part: (json: JSON?, path: [String])) -> [NamedPart] {
            let calls = member("calls", of: part)
            return parts(calls).flatMap { call in
                parts(
                    member(
                        "capture", of: member("success", of: (calls.json?[call.name], call.path))))
            }
        }
        let root: (json: JSON?, path: [String]) = (record.document.json, [])
        let storageNode = member("storage", of: root)
        let screensNode = member("screens", of: root)
        let backendsNode = member("backends", of: root)
        screens = parts(screensNode)
        calls = parts(member("calls", of: root))
        settings = parts(member("settings", of: root))
        memory = parts(member("memory", of: root))
        storage = parts(storageNode)
        let fieldsByScreen = Dictionary(
            screens.map { screen in
                (
                    screen.name,
                    parts(member("fields", of: (screensNode.json?[screen.name], screen.path)))
                )
            }
        ) { first, _ in first }
        let fields = screens.flatMap { fieldsByScreen[$0.name] ?? [] }
        let captured =
            captures(root)
            + parts(backendsNode).flatMap {
                captures((backendsNode.json?[$0.name], $0.path))
            }
        let keys = storage.map { key -> (key: NamedPart, holds: NamedPart?) in
            let holds = member("holds", of: (storageNode.json?[key.name], key.path))
            guard case .string(let name)? = holds.json else { return (key, nil) }
            return (key, (name, holds.path))
        }
        // Of an invalid key, either name may be meant.
        stored = keys.flatMap { key, holds in
            let isReadable = record.isReadable("storage.\(key.name)")
            return [holds ?? key] + (isReadable || holds == nil ? [] : [key])
        }
        let constants = storage.filter {
            member("value", of: (storageNode.json?[$0.name], $0.path)).json != nil
        }
        held = keys.compactMap(\.holds) + constants + memory
        uncapturedKeys = keys.compactMap(\.holds).filter { holds in
            !(captured + fields).contains { $0.name == holds.name }
        }
        self.captured = captured
        allFields = fields
        self.fieldsByScreen = fieldsByScreen
    }

    func fields(of screens: [String]) -> [NamedPart] {
        screens.flatMap { fieldsByScreen[$0] ?? [] }
    }

    /// The one captured value that nothing holds, if `name` is the one stored value that nothing
    /// captures.
    func capturedNameMeant(by name: String) -> String? {
        guard uncapturedKeys.map(\.name) == [name] else { return nil }
        let unheld = Set(captured.map(\.name)).filter { name in
            !held.contains { $0.name == name }
        }
        return unheld.count == 1 ? unheld.first : nil
    }
}
