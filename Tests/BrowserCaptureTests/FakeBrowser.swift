import FoundationEssentials
import Glibc

/// A script in the place of Chromium, in a folder that goes with it.
final class FakeBrowser: Sendable {
    let folder: String

    /// `script` finds commands at descriptor 3 and answers at 4.
    init(_ script: String) throws {
        folder = "/tmp/foyer-darkroom-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/chromium" }

    /// How many of the processes run whose numbers the script noted in
    /// `$TMPDIR/pids`; one that ended and was not waited for does not.
    var running: Int {
        text(folder + "/pids").split { !$0.isNumber }.count { pid in
            let facts = text("/proc/\(pid)/stat")
            // The letter of its state stands behind its name.
            let state = facts.split(separator: ")").last?.first { $0.isLetter }
            return !facts.isEmpty && state != "Z" && state != "X"
        }
    }

    private func text(_ file: String) -> String {
        let bytes = FileManager.default.contents(atPath: file) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }
}
