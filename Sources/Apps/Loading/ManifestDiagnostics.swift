/// The errors of one manifest, collected while it is read and checked.
final class ManifestDiagnostics {
    /// In the order found. One per path, except that several members can be missing at the same
    /// path.
    private(set) var errors: [ManifestError] = []
    /// Whether a part could not be read; checks that refer to it are skipped.
    private(set) var hasUnreadablePart = false
    /// Misspelled members by the path of their object: from the expected name to the written one.
    private var misspelledMembers: [[String]: [String: String]] = [:]

    /// All errors as one, sorted by line; nil if there are none.
    var combinedError: ManifestError? {
        let sorted = errors.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }.map(\.element)
        guard var first = sorted.first else { return nil }
        first.otherErrors = Array(sorted.dropFirst())
        return first
    }

    /// Limit for the errors reported at once.
    private static let maxErrors = 50

    /// Adds `error` unless its path already has one.
    func record(_ error: ManifestError) {
        guard errors.count < Self.maxErrors, !errors.contains(where: { $0.path == error.path })
        else {
            return
        }
        errors.append(error)
    }

    /// Adds `error` unless the same detail was recorded for another path.
    func recordOnce(_ error: ManifestError) {
        guard !errors.contains(where: { $0.detail == error.detail }) else { return }
        record(error)
    }

    /// Records an unknown member; `suggestion` is the probably intended name.
    func record(
        _ error: ManifestError, member: String, in path: [String], meaning suggestion: String?
    ) {
        record(error)
        misspelledMembers[path, default: [:]][suggestion ?? member] = member
    }

    /// The misspelled name written at `path` instead of the member `expected`.
    func writtenName(for expected: String, in path: [String]) -> String? {
        misspelledMembers[path]?[expected]
    }

    /// Records why a part cannot be read.
    func recordUnreadable(_ error: ManifestError) {
        hasUnreadablePart = true
        // The missing member is the misspelled one, which is already reported.
        let isReported = misspelledMembers.keys.contains { $0.joined(separator: ".") == error.path }
        if isReported || errors.contains(error) { return }
        // Several members of one object may be missing.
        if errors.count < Self.maxErrors { errors.append(error) }
    }
}
