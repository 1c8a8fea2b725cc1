/// An error in a template, with its location.
package struct TemplateError: Error, Sendable, Equatable {
    /// The path of the template or folder.
    package var file: String
    /// From 1; nil if the error concerns the entire file or folder.
    package var line: Int?
    /// From 1, in Unicode characters; nil with `line`.
    package var column: Int?
    package var detail: String

    /// An error of an entire file or folder.
    package init(_ path: String, _ detail: String) {
        file = path
        self.detail = detail
    }

    /// `offset` is in bytes from the start of `source`.
    init(_ path: String, _ detail: String, at offset: Int, in source: [UInt8]) {
        self.init(path, detail)
        let before = source[..<offset]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == 0x0A }
        // UTF-8 continuation bytes are 10xxxxxx.
        column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
    }
}

extension TemplateError: CustomStringConvertible {
    /// `file:line:column: detail`, as compilers write it.
    package var description: String {
        guard let line, let column else { return "\(file): \(detail)" }
        return "\(file):\(line):\(column): \(detail)"
    }
}
