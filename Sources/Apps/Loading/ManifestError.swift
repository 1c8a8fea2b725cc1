/// What is wrong with a manifest, where, and how to mend it.
package struct ManifestError: Error, Sendable, Equatable {
    package var file: String
    /// Members from the root: `screens.login.submit.go`.
    package var path: String
    /// From 1, where it could be told.
    package var line: Int?
    package var detail: String
    package var mend: String

    package init(
        file: String, path: String, line: Int?, detail: String, mend: String
    ) {
        self.file = file
        self.path = path
        self.line = line
        self.detail = detail
        self.mend = mend
    }
}
