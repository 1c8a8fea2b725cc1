import FoundationEssentials

/// A temporary folder with one app, `test`, and the given manifest.
final class ManifestFolder: Sendable {
    let path: String

    init(_ manifest: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/foyer-apps-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path + "/test", withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: path + "/test/app.json5"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
