/// An error in a template, with its location.
package struct TemplateError: Error, Sendable, Equatable {
    /// The path of the template or folder.
    package var file: String
    /// From 1; nil if the file itself is missing or unreadable.
    package var line: Int?
    /// From 1, in Unicode characters; nil with `line`.
    package var column: Int?
    package var detail: String

    package init(file: String, line: Int?, column: Int?, detail: String) {
        self.file = file
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// `offset` is in bytes from the start of `source`; nil if unknown.
    init(file: String, source: [UInt8], offset: Int?, detail: String) {
        self.init(file: file, line: nil, column: nil, detail: detail)
        guard let offset, offset <= source.count else { return }
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
