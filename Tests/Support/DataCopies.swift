import FoundationEssentials
import Glibc

/// A data folder and, beside it, what a power cut would leave of it: gone with
/// its test.
package final class DataCopies: Sendable {
    /// Where the house keeps its files.
    package let live: String
    /// Where `cut` leaves them as they are at that moment.
    package let left: String

    package init() throws {
        var template = Array("/tmp/foyer-data-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw CocoaError(.fileWriteUnknown)
        }
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self)
        (live, left) = (folder + "/live", folder + "/left")
        for path in [live, left] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
    }

    deinit {
        let folder = String(live.dropLast("/live".count))
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Copies every database with its log, as they are on disk now.
    package func cut() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: live)
        for name in names
        where name.hasSuffix(".sqlite") || name.hasSuffix(".sqlite-wal") {
            try FileManager.default.copyItem(
                atPath: live + "/" + name, toPath: left + "/" + name)
        }
    }
}
