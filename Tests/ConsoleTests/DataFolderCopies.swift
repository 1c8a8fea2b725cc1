import FoundationEssentials
import Glibc

/// A data folder and, next to it, a copy as a power failure would leave it. Both are deleted with
/// the test.
final class DataFolderCopies: Sendable {
    /// The folder that the fixture writes to.
    let live: String
    /// The folder that `copyAsAfterPowerFailure` copies the databases to.
    let crashCopy: String

    init() throws {
        var template = Array("/tmp/foyer-data-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        (live, crashCopy) = (folder + "/live", folder + "/left")
        for path in [live, crashCopy] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
    }

    deinit {
        let folder = String(live.dropLast("/live".count))
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Copies every database with its write-ahead log as they are on disk at one moment; a write
    /// between two copies makes it copy all of them again.
    func copyAsAfterPowerFailure() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: live).filter {
            $0.hasSuffix(".sqlite") || $0.hasSuffix(".sqlite-wal")
        }
        for _ in 1...100 {
            for name in names {
                try? FileManager.default.removeItem(atPath: crashCopy + "/" + name)
                try FileManager.default.copyItem(
                    atPath: live + "/" + name, toPath: crashCopy + "/" + name)
            }
            let isConsistent = names.allSatisfy {
                FileManager.default.contentsEqual(
                    atPath: live + "/" + $0, andPath: crashCopy + "/" + $0)
            }
            if isConsistent { return }
        }
        throw CocoaError(.fileReadUnknown)
    }
}
