/// The mistakes of one manifest, gathered while it is read and checked.
final class Mistakes {
    /// In the order found; one for each place, but several parts can be
    /// missing there.
    private(set) var found: [ManifestError] = []
    /// Whether a part could not be read: what speaks of it is not judged.
    private(set) var isPartLost = false
    /// Misspelt members, by the path of their object: the known name to the
    /// one that was written.
    private var misspelt: [[String]: [String: String]] = [:]

    /// All of them as one error; nil if there is none.
    var error: ManifestError? {
        let sorted = found.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }.map(\.element)
        guard var first = sorted.first else { return nil }
        first.others = Array(sorted.dropFirst())
        return first
    }

    /// So many are told at once.
    private static let bound = 50

    /// Adds `error`, unless something was wrong at its place already.
    func note(_ error: ManifestError) {
        guard found.count < Self.bound, !found.contains(where: { $0.path == error.path }) else {
            return
        }
        found.append(error)
    }

    /// Adds `error`, unless the same was said of another place already.
    func noteOnce(_ error: ManifestError) {
        guard !found.contains(where: { $0.detail == error.detail }) else { return }
        note(error)
    }

    /// Notes a member that is not known; `known` is what was probably meant.
    func note(_ error: ManifestError, member: String, in path: [String], meaning known: String?) {
        note(error)
        misspelt[path, default: [:]][known ?? member] = member
    }

    /// What stands in `path` in place of the member `known`.
    func written(for known: String, in path: [String]) -> String? { misspelt[path]?[known] }

    /// Notes why a part cannot be read.
    func lose(_ error: ManifestError) {
        isPartLost = true
        // Something is missing where a member was misspelt: that is it.
        let isTold = misspelt.keys.contains { $0.joined(separator: ".") == error.path }
        if isTold || found.contains(error) { return }
        // Of one object several members may be missing.
        if found.count < Self.bound { found.append(error) }
    }
}
