import FoundationEssentials
import Glibc

/// A folder for the duration of one run, accessible by its owner only.
struct TemporaryDirectory {
    let path: String

    /// In bytes: Chromium creates a socket in it, whose path length the system limits.
    private static let maxPathLength = 48

    /// Creates a new folder below `base`, or below `/tmp` if its path would be too long.
    init(in base: String) throws(StartError) {
        let base = base.utf8.count > Self.maxPathLength ? "/tmp" : base
        var name = Array("\(base)/foyer-XXXXXX".utf8CString)
        let isCreated = mkdtemp(&name) != nil
        guard isCreated else {
            let reason = String(cString: strerror(errno))
            throw StartError(
                "nothing can be written in \(base) (\(reason)); make room or "
                    + "set TMPDIR to another folder.")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        // A process that was writing a moment ago may have created another file.
        for _ in 0..<5 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
        }
        StandardOutput.warn("\(path) could not be removed; it holds what this run stored.")
    }
}
