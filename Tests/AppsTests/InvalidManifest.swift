import Apps
import Testing

/// A valid manifest with one mistake, and the error expected for it.
struct InvalidManifest: Sendable, CustomTestStringConvertible {
    /// A part of the valid manifest.
    var from: String
    /// Its invalid replacement.
    var to: String
    /// The path that the error must report.
    var path: String
    /// A text that the error's detail or fix must contain.
    var message: String

    init(_ from: String, _ to: String, at path: String, message: String) {
        self.from = from
        self.to = to
        self.path = path
        self.message = message
    }

    var testDescription: String { path.isEmpty ? message : path }

    /// Loads the manifest and checks the error's file, path, line, message and fix.
    func expectError(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try Manifests.small((from, to))
        let error = try #require(throws: ManifestError.self, sourceLocation: sourceLocation) {
            try App(id: "small", file: "small/app.json5", text: text)
        }
        #expect(error.file == "small/app.json5", sourceLocation: sourceLocation)
        #expect(error.path == path, sourceLocation: sourceLocation)
        #expect(
            "\(error.detail) \(error.fix)".contains(message), "\(error)",
            sourceLocation: sourceLocation)
        #expect(!error.fix.isEmpty, sourceLocation: sourceLocation)
        #expect(error.line != nil, sourceLocation: sourceLocation)
        // One mistake is reported once, where it was made.
        #expect(error.otherErrors.isEmpty, sourceLocation: sourceLocation)
    }
}
