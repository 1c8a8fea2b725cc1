import Apps
import Testing

/// One wrong thing in a manifest that is otherwise right.
struct InvalidManifest: Sendable, CustomTestStringConvertible {
    var from: String
    var to: String
    /// Where the error must say it is.
    var path: String
    /// A part of what it must say, in detail or mend.
    var says: String

    init(_ from: String, _ to: String, at path: String, says: String) {
        self.from = from
        self.to = to
        self.path = path
        self.says = says
    }

    var testDescription: String { path.isEmpty ? says : path }

    /// Makes the mistake and asks for its error: where it is, and that it
    /// says what to do.
    func expectError(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try Manifests.small((from, to))
        let error = try #require(throws: ManifestError.self, sourceLocation: sourceLocation) {
            try App(id: "small", file: "small/app.json5", text: text)
        }
        #expect(error.file == "small/app.json5", sourceLocation: sourceLocation)
        #expect(error.path == path, sourceLocation: sourceLocation)
        #expect(
            "\(error.detail) \(error.fix)".contains(says), "\(error)",
            sourceLocation: sourceLocation)
        #expect(!error.fix.isEmpty, sourceLocation: sourceLocation)
        #expect(error.line != nil, sourceLocation: sourceLocation)
        // One mistake is told once, where it was made.
        #expect(error.otherErrors.isEmpty, sourceLocation: sourceLocation)
    }
}
