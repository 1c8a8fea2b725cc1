import Core

/// Finds the drawings apps bring for their cards on the home page.
///
/// They are served by `AssetPages` from the same two folders.
struct CardArtwork: Sendable {
    let publicFolder: String
    let userApps: String?

    /// The address of an app's `file`, nil if there is no such file.
    func url(_ file: String, ofApp id: String) -> String? {
        let places = [
            FolderReader.status("apps/\(id)/\(file)", in: publicFolder),
            userApps.flatMap { FolderReader.status("\(id)/public/\(file)", in: $0) },
        ]
        let isThere = places.contains { $0?.kind == .file }
        return isThere ? Links.appAsset(id, file) : nil
    }
}
