import Core
import FoundationEssentials

/// The manifests found by one scan of the folders, each with its app or error.
struct ManifestScan: Sendable {
    /// A manifest's location and file status at the time of the scan.
    struct ManifestFile: Sendable, Equatable {
        /// The folder of apps; `id` is the app's folder in it.
        var folder: String
        var id: String
        /// Of the manifest, or of the symbolic link in place of the app's folder.
        var status: FileStatus

        var path: String { "\(folder)/\(id)/\(Self.fileName)" }

        static let fileName = "app.json5"

        /// The file's content.
        func read() throws(FolderReader.ReadError) -> [UInt8] {
            try FolderReader.read(
                "\(id)/\(Self.fileName)", in: folder, atMost: ManifestScan.maxFileBytes)
        }
    }

    private(set) var files: [String: ManifestFile] = [:]
    private var results: [String: Result<App, ManifestError>] = [:]

    /// A manifest is a few pages long; a larger file is something else.
    static let maxFileBytes = 1 << 20
    /// Limit against folders that are not app folders.
    private static let maxApps = 500

    /// The contracts an embedded base may name; nil allows any.
    private let contracts: [String]?

    init(contracts: [String]?) { self.contracts = contracts }

    /// Scans `folders` again; unchanged manifests are not read.
    func rescan(_ folders: [String]) -> ManifestScan {
        var scan = ManifestScan(contracts: contracts)
        for folder in folders {
            let root = URL(filePath: folder).resolvingSymlinksInPath().path
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            { names = [] } catch {
                // The folder is temporarily unreadable: its apps stay as they were.
                names = []
                scan.copyApps(from: self, in: root)
            }
            for id in names.sorted() where scan.files[id] == nil {
                guard scan.files.count <= Self.maxApps, let file = Self.file(of: id, in: root)
                else { continue }
                scan.files[id] = file
                scan.results[id] =
                    files[id] == file
                    ? results[id]
                    : scan.files.count > Self.maxApps
                        ? Self.failure(
                            file, "More than \(Self.maxApps) apps",
                            "The apps after this one are not loaded: remove some.") : read(file)
            }
        }
        return scan
    }

    /// Copies the apps of `folder` from `old`.
    private mutating func copyApps(from old: ManifestScan, in folder: String) {
        for (id, file) in old.files where file.folder == folder && files[id] == nil {
            files[id] = file
            results[id] = old.results[id]
        }
    }

    /// Apps by order and name, then broken manifests by id.
    var entries: [AppCatalog.Entry] {
        let loadedApps = results.values.compactMap { try? $0.get() }.sorted {
            ($0.order, $0.name, $0.id) < ($1.order, $1.name, $1.id)
        }
        let broken = results.compactMap { id, result in
            if case .failure(let error) = result {
                AppCatalog.Entry.broken(id: id, error)
            } else {
                nil
            }
        }
        return loadedApps.map(AppCatalog.Entry.app)
            + broken.sorted { lhs, rhs in
                switch (lhs, rhs) {
                case (.broken(let lhs, _), .broken(let rhs, _)): lhs < rhs
                default: false
                }
            }
    }

    /// The apps whose manifest files differ from those in `old`, by id.
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

    // MARK: File system

    /// nil if there is no manifest: a folder may hold shared parts.
    private static func file(of id: String, in folder: String) -> ManifestFile? {
        guard !id.hasPrefix("."), let status = FileStatus(at: "\(folder)/\(id)") else { return nil }
        let manifest =
            status.kind == .folder
            ? FileStatus(at: "\(folder)/\(id)/\(ManifestFile.fileName)") : nil
        if let manifest { return ManifestFile(folder: folder, id: id, status: manifest) }
        // A linked app folder is reported as an error instead of silently skipped.
        let file = ManifestFile(folder: folder, id: id, status: status)
        return status.kind == .symbolicLink && FileManager.default.fileExists(atPath: file.path)
            ? file : nil
    }

    private static func failure(_ file: ManifestFile, _ detail: String, _ fix: String) -> Result<
        App, ManifestError
    > { .failure(ManifestError(file: file.path, path: "", line: nil, detail: detail, fix: fix)) }

    private func read(_ file: ManifestFile) -> Result<App, ManifestError> {
        guard Self.isValidID(file.id) else {
            return Self.failure(
                file, "Invalid name of an app's folder",
                "Rename \(file.id): lowercase letters, digits and -.")
        }
        let bytes: [UInt8]
        do throws(FolderReader.ReadError) { bytes = try file.read() } catch {
            let fix =
                switch error {
                case .missing, .unreadable: "Check the file's permissions."
                case .notRegular: "Replace links with the folder and the file themselves."
                case .tooLarge: "Make the file smaller."
                }
            return Self.failure(file, "Couldn't read the manifest: \(error)", fix)
        }
        do throws(ManifestError) {
            return .success(
                try App(id: file.id, file: file.path, bytes: bytes, contracts: contracts))
        } catch { return .failure(error) }
    }

    /// A folder's name becomes part of URLs.
    private static func isValidID(_ id: String) -> Bool {
        id.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
}
