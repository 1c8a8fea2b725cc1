import Core

/// Finds the cover images that apps provide for their cards on the home page.
///
/// `AssetPages` serves them from the same two folders.
struct CardArtwork: Sendable {
    let publicFolder: String
    let userApps: String?

    /// The URL of an app's file; nil if it does not exist.
    func url(_ file: String, ofApp id: String) -> String? {
        let candidates = [
            FolderReader.status("apps/\(id)/\(file)", in: publicFolder),
            userApps.flatMap { FolderReader.status("\(id)/public/\(file)", in: $0) },
        ]
        let exists = candidates.contains { $0?.kind == .file }
        return exists ? Links.appAsset(id, file) : nil
    }
}
