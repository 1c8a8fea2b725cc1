import FoundationEssentials
import Surroundings

/// The manifests found on the disk at one look, and what came of each.
struct Shelf: Sendable {
    /// The file of a manifest as it stood.
    struct Stamp: Sendable, Equatable {
        /// The folder of apps, and the app's in it.
        var folder: String
        var id: String
        /// Of the manifest, or of the link its folder is.
        var facts: FileFacts

        var file: String { "\(folder)/\(id)/\(Self.name)" }

        static let name = "app.json5"

        /// All of it.
        func read() throws(FolderFile.Refusal) -> [UInt8] {
            try FolderFile.read("\(id)/\(Self.name)", in: folder, atMost: Shelf.largest)
        }
    }

    private(set) var stamps: [String: Stamp] = [:]
    private var books: [String: Result<App, ManifestError>] = [:]

    /// A manifest is a few pages; what is larger is something else.
    static let largest = 1 << 20
    /// More is no folder of apps.
    private static let most = 500

    /// The contracts an embedded base may name; nil are any.
    private let contracts: [String]?

    init(contracts: [String]?) { self.contracts = contracts }

    /// Looks again at `folders`; a manifest that did not change is not read.
    func again(_ folders: [String]) -> Shelf {
        var shelf = Shelf(contracts: contracts)
        for folder in folders {
            let place = URL(filePath: folder).resolvingSymlinksInPath().path
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            { names = [] } catch {
                // It cannot be read just now; no app of it is gone by that.
                names = []
                shelf.keep(self, of: place)
            }
            for id in names.sorted() where shelf.stamps[id] == nil {
                guard shelf.stamps.count <= Self.most, let stamp = Self.stamp(of: id, in: place)
                else { continue }
                shelf.stamps[id] = stamp
                shelf.books[id] =
                    stamps[id] == stamp
                    ? books[id]
                    : shelf.stamps.count > Self.most
                        ? Self.broken(
                            stamp, "there are more than \(Self.most) apps",
                            "Those behind this one are not read: move some.") : read(stamp)
            }
        }
        return shelf
    }

    /// The apps of `folder` as `old` knew them.
    private mutating func keep(_ old: Shelf, of folder: String) {
        for (id, stamp) in old.stamps where stamp.folder == folder && stamps[id] == nil {
            stamps[id] = stamp
            books[id] = old.books[id]
        }
    }

    /// By order and then name; the broken last, by id.
    var entries: [Catalogue.Entry] {
        let whole = books.values.compactMap { try? $0.get() }.sorted {
            ($0.order, $0.name, $0.id) < ($1.order, $1.name, $1.id)
        }
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
        guard !id.hasPrefix("."), let place = FileFacts(at: "\(folder)/\(id)") else { return nil }
        let manifest = place.kind == .folder ? FileFacts(at: "\(folder)/\(id)/\(Stamp.name)") : nil
        if let manifest { return Stamp(folder: folder, id: id, facts: manifest) }
        // Its app would be missed without a word.
        let stamp = Stamp(folder: folder, id: id, facts: place)
        return place.kind == .link && FileManager.default.fileExists(atPath: stamp.file)
            ? stamp : nil
    }

    private static func broken(_ stamp: Stamp, _ detail: String, _ mend: String) -> Result<
        App, ManifestError
    > { .failure(ManifestError(file: stamp.file, path: "", line: nil, detail: detail, mend: mend)) }

    private func read(_ stamp: Stamp) -> Result<App, ManifestError> {
        guard Self.isName(stamp.id) else {
            return Self.broken(
                stamp, "the folder's name cannot be an app's",
                "Rename \(stamp.id): small letters, digits and -.")
        }
        let bytes: [UInt8]
        do throws(FolderFile.Refusal) { bytes = try stamp.read() } catch {
            let mend =
                switch error {
                case .missing, .unreadable: "Look at the file's permissions."
                case .notRegular: "Put the folder and the file themselves there."
                case .tooLarge: "Make it smaller."
                }
            return Self.broken(stamp, "the manifest is not read: \(error)", mend)
        }
        do throws(ManifestError) {
            return .success(
                try App(id: stamp.id, file: stamp.file, bytes: bytes, contracts: contracts))
        } catch { return .failure(error) }
    }

    /// A folder's name becomes part of addresses.
    private static func isName(_ id: String) -> Bool {
        id.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
}
