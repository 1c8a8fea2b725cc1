import Core
import FoundationEssentials
import Web

/// The stored picture sets: a folder each, below `pictures` in the data folder.
struct PictureSets: Sendable {
    let folder: String

    /// The pictures of the current screens that a set was last compared with; no set has a name that
    /// begins with a dot.
    private static let currentFolder = ".current"
    private static let nameLimit = 80

    /// The names of the sets that have pictures of the app, in alphabetical order.
    func list(of app: String) -> [(name: String, set: PictureSet)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { Self.errorOfName($0) == nil }.sorted().compactMap { name in
            set(name).flatMap { set in
                set.files.keys.contains { $0.app == app } ? (name, set) : nil
            }
        }
    }

    /// The set with this name; nil if there is none.
    func set(_ name: String) -> PictureSet? {
        guard Self.errorOfName(name) == nil,
            FolderReader.status(name, in: folder)?.kind == .folder
        else { return nil }
        return PictureSet(path(name))
    }

    /// The set with this name; throws a 404 if there is none.
    func existing(_ name: String) throws(Problem) -> PictureSet {
        guard let set = set(name) else { throw .unknownPictureSet(name) }
        return set
    }

    /// The pictures of the current screens for the comparison with a set; nil before they are taken.
    func current(for name: String, _ app: String) -> PictureSet? {
        Self.errorOfName(name) == nil ? PictureSet(currentPath(for: name, app)) : nil
    }

    /// An empty folder for pictures that are being taken; what an interrupted run left is removed.
    var newFolder: String {
        let path = "\(folder)/.taking"
        try? FileManager.default.removeItem(atPath: path)
        return path
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func currentPath(for name: String, _ app: String) -> String {
        "\(folder)/\(Self.currentFolder)/\(app)/\(name)"
    }

    /// Why a set cannot have this name; nil if it can.
    static func errorOfName(_ name: String) -> String? {
        if name.isEmpty { return "is missing" }
        if name.count > nameLimit { return "has more than \(nameLimit) characters" }
        if name.hasPrefix(".") || name.contains("/") || name.containsControlCharacter {
            return "must not begin with a dot or contain a slash"
        }
        return nil
    }

    func delete(_ name: String, _ app: String) throws(Problem) {
        let files = FileManager.default
        try? files.removeItem(atPath: currentPath(for: name, app))
        try? files.removeItem(atPath: path(name))
        if files.fileExists(atPath: path(name)) {
            throw Problem(
                status: 500, code: "not-deleted", title: "Couldn't delete the pictures",
                detail: "\(path(name)) could not be removed. Check its permissions.")
        }
    }
}
