import FoundationEssentials
import Glibc

/// A shell script in place of Chromium, in a folder that is deleted with this object.
final class FakeBrowser: Sendable {
    let folder: String

    /// `script` reads commands from descriptor 3 and writes responses to 4.
    init(_ script: String) throws {
        folder = "/tmp/foyer-browser-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/chromium" }

    /// The number of running processes among those whose ids the script wrote to `$TMPDIR/pids`; a
    /// zombie does not count.
    var runningCount: Int {
        text(folder + "/pids").split { !$0.isNumber }.count { pid in
            let stat = text("/proc/\(pid)/stat")
            // The letter of the state follows the name, which is in parentheses.
            let state = stat.split(separator: ")").last?.first { $0.isLetter }
            return !stat.isEmpty && state != "Z" && state != "X"
        }
    }

    private func text(_ file: String) -> String {
        let bytes = FileManager.default.contents(atPath: file) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }
}
