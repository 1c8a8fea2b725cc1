/// What is wrong with a manifest, where, and how to mend it.
package struct ManifestError: Error, Sendable, Equatable {
    package var file: String
    /// Members from the root: `screens.login.submit.go`.
    package var path: String
    /// From 1, where it could be told.
    package var line: Int?
    package var detail: String
    package var fix: String
    /// What else is wrong with the manifest, in the order of its lines.
    package var otherErrors: [ManifestError] = []

    /// It and the others.
    package var allErrors: [ManifestError] {
        var first = self
        first.otherErrors = []
        return [first] + otherErrors
    }

    /// One line that says where, what and how to mend it.
    package var summary: String {
        let place = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
        let text = "\(place): " + (path.isEmpty ? "" : "\(path): ") + "\(detail). \(fix)"
        // Names in a manifest may have line ends and what a terminal obeys.
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control {
                let shown = scalar.escaped(asASCII: true)
                line.append(contentsOf: shown.unicodeScalars)
            } else {
                line.append(scalar)
            }
        }
        return String(line)
    }

    package init(file: String, path: String, line: Int?, detail: String, fix: String) {
        self.file = file
        self.path = path
        self.line = line
        self.detail = detail
        self.fix = fix
    }
}
