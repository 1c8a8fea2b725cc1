import FoundationEssentials
import Glibc

/// A script in the place of Chromium, in a folder that goes with it.
final class FakeBrowser: Sendable {
    let folder: String

    /// `script` finds commands at descriptor 3 and answers at 4.
    init(_ script: String) throws {
        folder = "/tmp/foyer-darkroom-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n\(script)\n".utf8)
            .write(to: URL(filePath: path))
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/chromium" }

    /// The process that noted its number with `echo $$ > "$TMPDIR/pid"`.
    var isRunning: Bool {
        let bytes = FileManager.default.contents(atPath: folder + "/pid")
        let words = String(decoding: bytes ?? Data(), as: UTF8.self)
        guard let pid = pid_t(words.filter(\.isNumber)) else { return false }
        return kill(pid, 0) == 0
    }
}
