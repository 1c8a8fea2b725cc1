/// The mistakes of one manifest, gathered while it is read and checked.
final class ManifestDiagnostics {
    /// In the order found; one for each place, but several parts can be
    /// missing there.
    private(set) var errors: [ManifestError] = []
    /// Whether a part could not be read: what speaks of it is not judged.
    private(set) var hasUnreadablePart = false
    /// Misspelt members, by the path of their object: the known name to the
    /// one that was written.
    private var misspelledMembers: [[String]: [String: String]] = [:]

    /// All of them as one error; nil if there is none.
    var combinedError: ManifestError? {
        let sorted = errors.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }.map(\.element)
        guard var first = sorted.first else { return nil }
        first.otherErrors = Array(sorted.dropFirst())
        return first
    }

    /// So many are told at once.
    private static let maxErrors = 50

    /// Adds `error`, unless something was wrong at its place already.
    func record(_ error: ManifestError) {
        guard errors.count < Self.maxErrors, !errors.contains(where: { $0.path == error.path })
        else {
            return
        }
        errors.append(error)
    }

    /// Adds `error`, unless the same was said of another place already.
    func recordOnce(_ error: ManifestError) {
        guard !errors.contains(where: { $0.detail == error.detail }) else { return }
        record(error)
    }

    /// Notes a member that is not known; `known` is what was probably meant.
    func record(_ error: ManifestError, member: String, in path: [String], meaning known: String?) {
        record(error)
        misspelledMembers[path, default: [:]][known ?? member] = member
    }

    /// What stands in `path` in place of the member `known`.
    func writtenName(for known: String, in path: [String]) -> String? {
        misspelledMembers[path]?[known]
    }

    /// Notes why a part cannot be read.
    func recordUnreadable(_ error: ManifestError) {
        hasUnreadablePart = true
        // Something is missing where a member was misspelt: that is it.
        let isTold = misspelledMembers.keys.contains { $0.joined(separator: ".") == error.path }
        if isTold || errors.contains(error) { return }
        // Of one object several members may be missing.
        if errors.count < Self.maxErrors { errors.append(error) }
    }
}
