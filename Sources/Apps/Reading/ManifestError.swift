/// An error in a manifest, its location and its fix.
package struct ManifestError: Error, Sendable, Equatable {
    package var file: String
    /// Members from the root: `screens.login.submit.go`.
    package var path: String
    /// From 1, if known.
    package var line: Int?
    package var detail: String
    package var fix: String
    /// The manifest's other errors, by line.
    package var otherErrors: [ManifestError] = []

    /// This error and the others.
    package var allErrors: [ManifestError] {
        var first = self
        first.otherErrors = []
        return [first] + otherErrors
    }

    /// One line with the location, the error and the fix.
    package var summary: String {
        let location = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
        let text = "\(location): " + (path.isEmpty ? "" : "\(path): ") + "\(detail). \(fix)"
        // Names in a manifest may contain line breaks and terminal control characters.
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control {
                let escaped = scalar.escaped(asASCII: true)
                line.append(contentsOf: escaped.unicodeScalars)
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
