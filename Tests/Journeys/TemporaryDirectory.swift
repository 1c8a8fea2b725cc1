import FoundationEssentials
import Glibc

/// A folder for one process: its data and what it said.
///
/// Below `FOYER_TEST_RESULTS` it stays, for the search for secrets after a
/// whole run; otherwise it goes with the test.
final class TemporaryDirectory: Sendable {
    let folder: String
    private let stays: Bool

    let data: String
    var errors: String { folder + "/stderr.log" }

    /// `data` is another one's data folder; without it there is none yet.
    init(data: String? = nil) throws {
        let kept = ProcessInfo.processInfo.environment["FOYER_TEST_RESULTS"]
        let base = kept.map { $0 + "/journeys" } ?? "/tmp"
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
        var name = Array((base + "/foyer-XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        stays = kept != nil
        self.data = data ?? folder + "/data"
    }

    deinit { if !stays { try? FileManager.default.removeItem(atPath: folder) } }

    func read(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func write(_ name: String, _ text: String) -> String {
        let path = folder + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        return path
    }
}
