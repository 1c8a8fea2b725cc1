import FoundationEssentials
import Glibc

/// A folder for one process: its data folder and its standard error.
///
/// Below `FOYER_TEST_RESULTS` it is retained, for the search for secrets after a complete run;
/// otherwise deinitialization removes it.
final class TemporaryDirectory: Sendable {
    let folder: String
    private let isRetained: Bool

    let data: String
    var errors: String { folder + "/stderr.log" }

    /// `data` is an existing data folder of another directory; without it, foyer creates a new one.
    init(data: String? = nil) throws {
        let results = ProcessInfo.processInfo.environment["FOYER_TEST_RESULTS"]
        let base = results.map { $0 + "/journeys" } ?? "/tmp"
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
        var name = Array((base + "/foyer-XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        isRetained = results != nil
        self.data = data ?? folder + "/data"
    }

    deinit { if !isRetained { try? FileManager.default.removeItem(atPath: folder) } }

    func read(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func write(_ name: String, _ text: String) -> String {
        let path = folder + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        return path
    }
}
