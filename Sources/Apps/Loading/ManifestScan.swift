import Core
import FoundationEssentials
import Web

/// The manifests found by one scan of the folders, each with its app or error.
///
/// A class, so that readers copy nothing.
final class ManifestScan: Sendable {
    let files: [String: ManifestFile]
    private let entriesByID: [String: AppCatalog.Entry]
    /// The user's own before the bundled ones: apps by order and name, then broken manifests by id.
    let entries: [AppCatalog.Entry]
    /// What the console shows of each, valid or not.
    let identities: [String: AppIdentity]
    /// The contracts an embedded base may name; nil allows any.
    private let contracts: [String]?

    /// A manifest's location and file status at the time of the scan.
    struct ManifestFile: Sendable, Equatable {
        /// The folder of apps; `id` is the app's folder in it.
        var folder: String
        var id: String
        /// Whether the folder is the user's.
        var isOwn: Bool
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

    /// A manifest is a few pages long; a larger file is something else.
    static let maxFileBytes = 1 << 20
    /// Limit against folders that are not app folders.
    private static let maxApps = 500

    init(
        contracts: [String]?, files: [String: ManifestFile] = [:],
        entries: [String: AppCatalog.Entry] = [:], identities: [String: AppIdentity] = [:]
    ) {
        self.contracts = contracts
        self.files = files
        entriesByID = entries
        self.identities = identities
        self.entries = entries.sorted { first, second in
            func position(_ entry: (key: String, value: AppCatalog.Entry)) -> (Int, Int, String) {
                (
                    files[entry.key]?.isOwn == true ? 0 : entry.value.app == nil ? 2 : 1,
                    identities[entry.key]?.order ?? App.defaultOrder,
                    identities[entry.key]?.name ?? entry.key
                )
            }
            let (one, other) = (position(first), position(second))
            return one == other ? first.key < second.key : one < other
        }.map(\.value)
    }

    func app(_ id: String) -> App? { entriesByID[id]?.app }

    /// Scans `folders` again; unchanged manifests are not read.
    func rescan(_ folders: [String]) -> ManifestScan {
        var files: [String: ManifestFile] = [:]
        var entries: [String: AppCatalog.Entry] = [:]
        var identities: [String: AppIdentity] = [:]
        for (index, folder) in folders.enumerated() {
            let root = URL(filePath: folder).resolvingSymlinksInPath().path
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch let
                error as CocoaError where error.code == .fileReadNoSuchFile
            { names = [] } catch {
                // The folder is temporarily unreadable: its apps stay as they were.
                names = []
                let oldFiles = self.files.filter { $0.value.folder == root }
                files.merge(oldFiles) { first, _ in first }
                entries.merge(entriesByID.filter { oldFiles[$0.key] != nil }) { first, _ in first }
                identities.merge(self.identities) { first, _ in first }
            }
            for id in names.sorted() where files[id] == nil {
                guard files.count <= Self.maxApps,
                    let file = Self.file(of: id, in: root, isOwn: index > 0)
                else {
                    continue
                }
                files[id] = file
                if self.files[id] == file {
                    entries[id] = entriesByID[id]
                    identities[id] = self.identities[id]
                } else {
                    let entry = read(file, isExcess: files.count > Self.maxApps)
                    entries[id] = entry
                    identities[id] = Self.identity(of: entry, file, previous: self.identities[id])
                }
            }
        }
        return ManifestScan(
            contracts: contracts, files: files, entries: entries, identities: identities)
    }

    /// The apps whose manifest files differ from those in `old`, by id.
    func changes(since old: ManifestScan) -> [AppCatalog.Change] {
        let ids = Set(files.keys).union(old.files.keys)
        return ids.filter { files[$0] != old.files[$0] }.sorted().map {
            AppCatalog.Change(id: $0, entry: entriesByID[$0])
        }
    }

    // MARK: File system

    /// nil if there is no manifest: a folder may hold shared parts.
    private static func file(of id: String, in folder: String, isOwn: Bool) -> ManifestFile? {
        guard !id.hasPrefix("."), let status = FileStatus(at: "\(folder)/\(id)") else { return nil }
        let manifest =
            status.kind == .folder
            ? FileStatus(at: "\(folder)/\(id)/\(ManifestFile.fileName)") : nil
        if let manifest {
            return ManifestFile(folder: folder, id: id, isOwn: isOwn, status: manifest)
        }
        // A linked app folder is reported as an error instead of silently skipped.
        let file = ManifestFile(folder: folder, id: id, isOwn: isOwn, status: status)
        return status.kind == .symbolicLink && FileManager.default.fileExists(atPath: file.path)
            ? file : nil
    }

    private func read(_ file: ManifestFile, isExcess: Bool) -> AppCatalog.Entry {
        func broken(_ detail: String, _ fix: String) -> AppCatalog.Entry {
            .broken(
                id: file.id,
                ManifestError(file: file.path, path: "", line: nil, detail: detail, fix: fix))
        }
        guard !isExcess else {
            return broken(
                "More than \(Self.maxApps) apps",
                "The apps after this one are not loaded: remove some.")
        }
        guard Self.isValidID(file.id) else {
            return broken(
                "Invalid name of an app's folder",
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
            return broken("Couldn't read the manifest: \(error)", fix)
        }
        do throws(ManifestError) {
            return .app(try App(id: file.id, file: file.path, bytes: bytes, contracts: contracts))
        } catch { return .broken(id: file.id, error) }
    }

    /// Of a broken manifest, what can still be read, else what was read before.
    private static func identity(
        of entry: AppCatalog.Entry, _ file: ManifestFile, previous: AppIdentity?
    ) -> AppIdentity {
        if let app = entry.app { return AppIdentity(app) }
        let bytes = (try? file.read()) ?? []
        let found = AppIdentity(JSON5Parser.parseAll(bytes).document)
        return previous.map { found.completed(by: $0) } ?? found
    }

    /// A folder's name becomes part of URLs.
    private static func isValidID(_ id: String) -> Bool {
        id.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
}
