import FoundationEssentials
import Glibc

/// A folder that is deleted with its test.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/foyer-backend-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var databasePath: String { path + "/backend.sqlite" }
}
