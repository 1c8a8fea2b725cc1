import FoundationEssentials

/// Finds the drawings apps bring for their cards on the home page.
///
/// They are served by `AssetPages` from the same two folders.
struct Covers: Sendable {
    let publicFolder: String
    let userApps: String?

    /// The address of an app's `file`, nil if there is no such file.
    func address(_ file: String, ofApp id: String) -> String? {
        let places = [
            "\(publicFolder)/apps/\(id)/\(file)",
            userApps.map { "\($0)/\(id)/public/\(file)" },
        ]
        let isThere = places.compactMap(\.self).contains {
            FileManager.default.fileExists(atPath: $0)
        }
        return isThere ? Links.appAsset(id, file) : nil
    }
}
