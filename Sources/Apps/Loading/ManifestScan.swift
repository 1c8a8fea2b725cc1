import Core
import FoundationEssentials

/// The manifests found on the disk at one look, and what came of each.
struct ManifestScan: Sendable {
    /// The file of a manifest as it stood.
    struct ManifestFile: Sendable, Equatable {
        /// The folder of apps, and the app's in it.
        var folder: String
        var id: String
        /// Of the manifest, or of the link its folder is.
        var status: FileStatus

        var path: String { "\(folder)/\(id)/\(Self.fileName)" }

        static let fileName = "app.json5"

        /// All of it.
        func read() throws(FolderReader.ReadError) -> [UInt8] {
            try FolderReader.read(
                "\(id)/\(Self.fileName)", in: folder, atMost: ManifestScan.maxFileBytes)
        }
    }

    private(set) var files: [String: ManifestFile] = [:]
    private var results: [String: Result<App, ManifestError>] = [:]

    /// A manifest is a few pages; what is larger is something else.
    static let maxFileBytes = 1 << 20
    /// More is no folder of apps.
    private static let maxApps = 500

    /// The contracts an embedded base may name; nil are any.
    private let contracts: [String]?

    init(contracts: [String]?) { self.contracts = contracts }

    /// Looks again at `folders`; a manifest that did not change is not read.
    func rescan(_ folders: [String]) -> ManifestScan {
        var shelf = ManifestScan(contracts: contracts)
        for folder in folders {
            let place = URL(filePath: folder).resolvingSymlinksInPath().path
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            { names = [] } catch {
                // It cannot be read just now; no app of it is gone by that.
                names = []
                shelf.copyApps(from: self, in: place)
            }
            for id in names.sorted() where shelf.files[id] == nil {
                guard shelf.files.count <= Self.maxApps, let stamp = Self.file(of: id, in: place)
                else { continue }
                shelf.files[id] = stamp
                shelf.results[id] =
                    files[id] == stamp
                    ? results[id]
                    : shelf.files.count > Self.maxApps
                        ? Self.failure(
                            stamp, "there are more than \(Self.maxApps) apps",
                            "Those behind this one are not read: move some.") : read(stamp)
            }
        }
        return shelf
    }

    /// The apps of `folder` as `old` knew them.
    private mutating func copyApps(from old: ManifestScan, in folder: String) {
        for (id, stamp) in old.files where stamp.folder == folder && files[id] == nil {
            files[id] = stamp
            results[id] = old.results[id]
        }
    }

    /// By order and then name; the broken last, by id.
    var entries: [AppCatalog.Entry] {
        let whole = results.values.compactMap { try? $0.get() }.sorted {
            ($0.order, $0.name, $0.id) < ($1.order, $1.name, $1.id)
        }
        let broken = results.compactMap { id, book in
            if case .failure(let error) = book {
                AppCatalog.Entry.broken(id: id, error)
            } else {
                nil
            }
        }
        return whole.map(AppCatalog.Entry.app)
            + broken.sorted { one, other in
                switch (one, other) {
                case (.broken(let one, _), .broken(let other, _)): one < other
                default: false
                }
            }
    }

    /// The apps whose manifests are others than they were, by id.
    func changes(since old: ManifestScan) -> [AppCatalog.Change] {
        let ids = Set(files.keys).union(old.files.keys)
        return ids.filter { files[$0] != old.files[$0] }.sorted().map {
            AppCatalog.Change(id: $0, entry: entry($0))
        }
    }

    private func entry(_ id: String) -> AppCatalog.Entry? {
        switch results[id] {
        case nil: nil
        case .success(let app): .app(app)
        case .failure(let error): .broken(id: id, error)
        }
    }

    var apps: [String: App] { results.compactMapValues { try? $0.get() } }

    // MARK: The disk

    /// nil if there is no manifest: a folder of parts is no app.
    private static func file(of id: String, in folder: String) -> ManifestFile? {
        guard !id.hasPrefix("."), let place = FileStatus(at: "\(folder)/\(id)") else { return nil }
        let manifest =
            place.kind == .folder ? FileStatus(at: "\(folder)/\(id)/\(ManifestFile.fileName)") : nil
        if let manifest { return ManifestFile(folder: folder, id: id, status: manifest) }
        // Its app would be missed without a word.
        let stamp = ManifestFile(folder: folder, id: id, status: place)
        return place.kind == .symbolicLink && FileManager.default.fileExists(atPath: stamp.path)
            ? stamp : nil
    }

    private static func failure(_ stamp: ManifestFile, _ detail: String, _ fix: String) -> Result<
        App, ManifestError
    > { .failure(ManifestError(file: stamp.path, path: "", line: nil, detail: detail, fix: fix)) }

    private func read(_ stamp: ManifestFile) -> Result<App, ManifestError> {
        guard Self.isValidID(stamp.id) else {
            return Self.failure(
                stamp, "the folder's name cannot be an app's",
                "Rename \(stamp.id): small letters, digits and -.")
        }
        let bytes: [UInt8]
        do throws(FolderReader.ReadError) { bytes = try stamp.read() } catch {
            let fix =
                switch error {
                case .missing, .unreadable: "Look at the file's permissions."
                case .notRegular: "Put the folder and the file themselves there."
                case .tooLarge: "Make it smaller."
                }
            return Self.failure(stamp, "the manifest is not read: \(error)", fix)
        }
        do throws(ManifestError) {
            return .success(
                try App(id: stamp.id, file: stamp.path, bytes: bytes, contracts: contracts))
        } catch { return .failure(error) }
    }

    /// A folder's name becomes part of addresses.
    private static func isValidID(_ id: String) -> Bool {
        id.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
}
