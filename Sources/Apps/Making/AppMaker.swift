import Core
import FoundationEssentials
package import Web

/// Makes the folder of a new app among the user's own.
package struct AppMaker: Sendable {
    private let catalog: AppCatalog
    private let contracts: [String]

    package init(_ catalog: AppCatalog, contracts: [String]) {
        self.catalog = catalog
        self.contracts = contracts
    }

    /// Makes the folder and returns its path; nothing is written if anything fails.
    ///
    /// `styleSheet` is the text of `app.css`.
    package func make(_ draft: AppDraft, styleSheet: String) throws(Problem) -> String {
        let text = try draft.manifest(contracts: contracts) { catalog.manifest(ofApp: $0) }
        guard let folder = catalog.ownFolder else {
            throw Self.unwritable("There is no folder for apps: start foyer with --apps DIR.")
        }
        let path = "\(folder)/\(draft.id)"
        let isTaken = catalog.entries().contains { $0.id == draft.id }
        guard !isTaken, !FileManager.default.fileExists(atPath: path) else {
            throw Problem(
                errors: [
                    .init(
                        pointer: "/name",
                        detail: "is taken: there is an app or a folder \(draft.id). "
                            + "Choose another name, or delete that folder")
                ], title: "Invalid app")
        }
        let app: App
        do throws(ManifestError) {
            app = try App(id: draft.id, file: "app.json5", text: text)
        } catch { throw Self.unwritable(error.summary) }
        var files = ["app.json5": text, "public/app.css": styleSheet]
        files["parts/screen.mustache"] = catalog.plainScreen ?? ""
        for screen in app.screens {
            files["\(screen.id).mustache"] = "{{>apps/\(draft.id)/parts/screen}}\n"
        }
        // Complete before it has the name that a scan reads.
        let draftPath = "\(folder)/.\(draft.id).new"
        let manager = FileManager.default
        do {
            try? manager.removeItem(atPath: draftPath)
            for (name, text) in files {
                let file = "\(draftPath)/\(name)"
                let parent = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                try manager.createDirectory(
                    atPath: parent.joined(separator: "/"), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(filePath: file))
            }
            try manager.moveItem(atPath: draftPath, toPath: path)
        } catch {
            try? manager.removeItem(atPath: draftPath)
            throw Self.unwritable(
                "\(path) cannot be written. Check the folder's permissions and the disk's free "
                    + "space, or start foyer with another --apps DIR.")
        }
        catalog.rescan()
        return path
    }

    private static func unwritable(_ detail: String) -> Problem {
        Problem(
            status: 507, code: "app-not-written", title: "The app was not added", detail: detail)
    }
}
