import FoundationEssentials
import Glibc

/// A data folder and, beside it, what a power cut would leave of it: gone with
/// its test.
final class DataFolderCopies: Sendable {
    /// Where the house keeps its files.
    let live: String
    /// Where `cut` leaves them as they are at that moment.
    let left: String

    init() throws {
        var template = Array("/tmp/foyer-data-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
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

    /// Copies every database with its log, as they are on disk at one moment:
    /// a write between two copies has them made again.
    func cut() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: live).filter {
            $0.hasSuffix(".sqlite") || $0.hasSuffix(".sqlite-wal")
        }
        for _ in 1...100 {
            for name in names {
                try? FileManager.default.removeItem(atPath: left + "/" + name)
                try FileManager.default.copyItem(
                    atPath: live + "/" + name, toPath: left + "/" + name)
            }
            let isOneMoment = names.allSatisfy {
                FileManager.default.contentsEqual(atPath: live + "/" + $0, andPath: left + "/" + $0)
            }
            if isOneMoment { return }
        }
        throw CocoaError(.fileReadUnknown)
    }
}
