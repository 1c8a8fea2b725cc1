import FoundationEssentials

/// A folder with one app, `test`, whose manifest a test writes.
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
