import FoundationEssentials
import Glibc

/// A folder for the length of one run, for its owner only.
struct TemporaryDirectory {
    let path: String

    /// Chromium makes a socket in it, whose path the system bounds.
    private static let maxPathLength = 48

    /// Makes one below `base` that nobody has yet; below `/tmp` if its path
    /// would be too long.
    init(in base: String) throws(StartError) {
        let base = base.utf8.count > Self.maxPathLength ? "/tmp" : base
        var name = Array("\(base)/foyer-XXXXXX".utf8CString)
        let isMade = mkdtemp(&name) != nil
        guard isMade else {
            let reason = String(cString: strerror(errno))
            throw StartError(
                "nothing can be written in \(base) (\(reason)); make room or "
                    + "set TMPDIR to another folder.")
        }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func remove() {
        // What was writing there a moment ago may have made one file more.
        for _ in 0..<5 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
        }
        StandardOutput.warn("\(path) could not be removed; it holds what this run stored.")
    }
}
