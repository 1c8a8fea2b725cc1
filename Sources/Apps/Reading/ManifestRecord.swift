import Web

/// What was found while one manifest was read and checked: its errors, the texts users see, and the
/// names that refer to other parts.
final class ManifestRecord {
    /// The name used in errors.
    let file: String
    let document: JSON5Document
    /// The contracts an embedded base may name; nil allows any.
    let contracts: [String]?
    /// In the order read.
    private(set) var texts: [ManifestText] = []
    /// In the order read.
    private(set) var references: [Reference] = []
    /// In the order found. One per path, except that several members can be missing at the same
    /// path.
    private(set) var errors: [ManifestError] = []
    /// The paths of the parts that could not be read.
    private(set) var unreadablePaths: Set<String> = []
    /// The paths of members that are invalid or missing: they are read as absent, or as an empty
    /// text if they are required.
    private var replacedPaths: Set<String> = []
    /// Misspelled members by the path of their object: from the expected name to the written one.
    var misspelledMembers: [[String]: [String: String]] = [:]

    /// Limit for the errors reported at once.
    private static let maxErrors = 50

    init(file: String, document: JSON5Document, contracts: [String]?) {
        self.file = file
        self.document = document
        self.contracts = contracts
    }

    /// An empty text is not shown.
    func add(_ text: ManifestText) { if !text.text.isEmpty { texts.append(text) } }

    func add(_ reference: Reference) { references.append(reference) }

    // MARK: Errors

    func error(at path: [String], _ detail: String, _ fix: String) -> ManifestError {
        ManifestError(
            file: file, path: path.joined(separator: "."), line: document.line(at: path),
            detail: detail, fix: fix)
    }

    /// All errors as one, sorted by line; nil if there are none.
    var combinedError: ManifestError? {
        let sorted = errors.sorted {
            ($0.line ?? 0, $0.path, $0.detail) < ($1.line ?? 0, $1.path, $1.detail)
        }
        guard var first = sorted.first else { return nil }
        first.otherErrors = Array(sorted.dropFirst())
        return first
    }

    /// Adds `error` unless its path already has one.
    func add(_ error: ManifestError) {
        guard errors.count < Self.maxErrors, !errors.contains(where: { $0.path == error.path })
        else { return }
        errors.append(error)
    }

    /// Adds the reason why a part cannot be read.
    func addUnreadable(_ error: ManifestError) {
        unreadablePaths.insert(error.path)
        // The error may be a consequence of a part's replacement.
        let isConsequence = replacedPaths.contains {
            $0 == error.path || $0.hasPrefix(error.path + ".")
        }
        if isConsequence, !error.detail.hasPrefix("Missing key ") { return }
        // The missing member is the misspelled one, which is already reported.
        let isReported = misspelledMembers.keys.contains { $0.joined(separator: ".") == error.path }
        if isReported || errors.contains(error) { return }
        // Several members of one object may be missing.
        if errors.count < Self.maxErrors { errors.append(error) }
    }

    /// Adds the errors of the document's syntax.
    func add(_ failures: [JSON5Parser.Failure]) {
        errors += failures.map { ManifestError(file: file, $0) }
    }

    // MARK: Invalid parts

    var replacedCount: Int { replacedPaths.count }

    func isReplaced(_ path: [String]) -> Bool {
        !replacedPaths.isEmpty && replacedPaths.contains(path.joined(separator: "."))
    }

    func replace(_ path: [String]) { replace(at: path.joined(separator: ".")) }

    func replace(at path: String) {
        if errors.count < Self.maxErrors { replacedPaths.insert(path) }
    }

    /// Whether nothing at or below `path` has been unreadable.
    func isReadable(_ path: String) -> Bool {
        !unreadablePaths.contains { $0 == path || $0.hasPrefix(path + ".") }
    }
}

/// A name in a manifest that refers to another part of it.
struct Reference {
    var name: String
    var kind: Kind
    /// Members from the root to the name's position.
    var path: [String]

    enum Kind {
        case screen
        case call
        /// A field of the screen at the reference's path.
        case field
        /// A field of any screen.
        case anyField
        /// A field of every screen that makes the call at the reference's path.
        case fieldOfCallers
        /// A setting of the app.
        case setting
        case memory
        /// A value that a call captures.
        case captured
        /// A value that the same call captures: one of these, each with its path.
        case capturedByCall([(name: String, path: [String])])
        /// A value that a call captures, or a field.
        case capturedOrField
        /// A value in storage, by its captured name or its key.
        case stored
        /// A captured value that is in storage or in memory.
        case held
        /// The session's access token, which must be in storage or in memory.
        case session
        /// The initial value of a field, in storage or in memory.
        case prefill
        /// A storage area or a storage key.
        case clearable
        /// A storage key that holds fields.
        case credentials
        /// A stored value whose key a cold start can lock.
        case lockable
        /// A key that a cold start can lock.
        case locks
        /// The rules for an expired session.
        case expiryRules
        /// A `{variable}` of a text, which may also use names that only this text has.
        case variable(also: [String])
        /// A `{variable}` of a call's request.
        case requestVariable

        /// Whether it is checked after the others, whose errors may explain it.
        var isCheckedLast: Bool {
            switch self {
            case .fieldOfCallers, .variable, .requestVariable: true
            default: false
            }
        }
    }
}

extension [String] {
    /// The call's name in a path of `calls`, or of a backend's.
    var calledName: String? {
        if first == "calls", count > 1 { return self[1] }
        return first == "backends" && count > 3 && self[2] == "calls" ? self[3] : nil
    }
}

/// A user-visible text of a manifest and where it is written.
package struct ManifestText: Sendable, Equatable {
    /// With its `{variables}`.
    package var text: String
    package var kind: Kind
    /// Members from the root: `screens`, `login`, `title`.
    package var path: [String]
    /// From 1; nil for a default text of Foyer that the manifest does not override.
    package var line: Int?
    /// The screens that may show it, in the manifest's order; filled in by `App.texts`.
    package var screens: [String] = []

    /// The text's purpose, as the copy deck lists it.
    package enum Kind: String, Sendable, CaseIterable {
        case title, text, label, placeholder, hint, option, strength, link
        case rule, failure, network, session, confirm, alert, toast, notice
        case prompt, badge, setting
    }
}

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
        return text.singleLine
    }
}

extension ManifestError {
    /// An error of the file's syntax.
    init(file: String, _ failure: JSON5Parser.Failure) {
        self.init(
            file: file, path: "", line: failure.line, detail: failure.detail, fix: failure.fix)
    }
}

/// A parsed manifest with the lines of its parts.
///
/// A decoder would lose the order, the lines and duplicate keys; the loader needs all three.
struct JSON5Document: Sendable {
    let json: JSON
    /// The lines of members' keys and of elements, from 1, by path.
    let lines: [[String]: Int]

    /// The line of the member or element at `path`, or of its nearest ancestor in the file.
    func line(at path: [String]) -> Int {
        (0...path.count).lazy.compactMap { lines[Array(path.dropLast($0))] }.first ?? 1
    }
}

extension String {
    /// With escapes for line breaks and terminal control characters, which names in a manifest may
    /// contain.
    package var singleLine: String {
        unicodeScalars.reduce(into: "") { line, scalar in
            let isControl = scalar.properties.generalCategory == .control
            line += isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}

extension JSON {
    /// The type's name in error messages.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
