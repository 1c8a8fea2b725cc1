import FoundationEssentials
import Web

/// The manifests found on the disk at one look, and what came of each.
struct Shelf: Sendable {
    /// The file of a manifest as it stood.
    struct Stamp: Sendable, Equatable {
        var file: String
        var facts: FileFacts
    }

    private(set) var stamps: [String: Stamp] = [:]
    private var books: [String: Result<App, ManifestError>] = [:]

    /// A manifest is a few pages; what is larger is something else.
    static let largest = 1 << 20

    /// Looks again at `folders`; a manifest that did not change is not read.
    func again(_ folders: [String]) -> Shelf {
        var shelf = Shelf()
        for folder in folders {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: folder))
                ?? []
            for id in names where shelf.stamps[id] == nil {
                guard let stamp = Self.stamp(of: id, in: folder) else {
                    continue
                }
                shelf.stamps[id] = stamp
                shelf.books[id] =
                    stamps[id] == stamp
                    ? books[id] : Self.read(stamp, id: id)
            }
        }
        return shelf
    }

    /// By order and then name; the broken last, by id.
    var entries: [Catalogue.Entry] {
        let whole = books.values.compactMap { try? $0.get() }
            .sorted { ($0.order, $0.name, $0.id) < ($1.order, $1.name, $1.id) }
        let broken = books.compactMap { id, book in
            if case .failure(let error) = book {
                Catalogue.Entry.broken(id: id, error)
            } else {
                nil
            }
        }
        return whole.map(Catalogue.Entry.app)
            + broken.sorted { one, other in
                switch (one, other) {
                case (.broken(let one, _), .broken(let other, _)): one < other
                default: false
                }
            }
    }

    /// The apps whose manifests are others than they were, by id.
    func changes(since old: Shelf) -> [Catalogue.Change] {
        let ids = Set(stamps.keys).union(old.stamps.keys)
        return ids.filter { stamps[$0] != old.stamps[$0] }.sorted().map {
            Catalogue.Change(id: $0, entry: entry($0))
        }
    }

    private func entry(_ id: String) -> Catalogue.Entry? {
        switch books[id] {
        case nil: nil
        case .success(let app): .app(app)
        case .failure(let error): .broken(id: id, error)
        }
    }

    var apps: [String: App] { books.compactMapValues { try? $0.get() } }

    // MARK: The disk

    /// nil if there is no manifest: a folder of parts is no app.
    private static func stamp(of id: String, in folder: String) -> Stamp? {
        guard !id.hasPrefix(".") else { return nil }
        let file = URL(filePath: "\(folder)/\(id)/app.json5")
            .resolvingSymlinksInPath().path
        return FileFacts(at: file).map { Stamp(file: file, facts: $0) }
    }

    private static func read(
        _ stamp: Stamp, id: String
    ) -> Result<App, ManifestError> {
        func broken(
            _ detail: String, _ mend: String
        ) -> Result<App, ManifestError> {
            .failure(
                ManifestError(
                    file: stamp.file, path: "", line: nil, detail: detail,
                    mend: mend))
        }
        guard isName(id) else {
            return broken(
                "the folder's name cannot be an app's",
                "Rename \(id): small letters, digits and -.")
        }
        guard stamp.facts.size <= largest else {
            return broken(
                "the manifest is larger than 1 MiB", "Make it smaller.")
        }
        guard let data = FileManager.default.contents(atPath: stamp.file)
        else {
            return broken(
                "the manifest cannot be read",
                "Look at the file's permissions.")
        }
        do throws(ManifestError) {
            return .success(
                try App(id: id, file: stamp.file, bytes: Array(data)))
        } catch {
            return .failure(error)
        }
    }

    /// A folder's name becomes part of addresses.
    private static func isName(_ id: String) -> Bool {
        id.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                || $0 == UInt8(ascii: "-")
        }
    }
}
