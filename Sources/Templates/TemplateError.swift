/// What is wrong with a template, and where.
package struct TemplateError: Error, Sendable, Equatable {
    /// The file's path.
    package var file: String
    /// From 1; nil if the file itself is missing or unreadable.
    package var line: Int?
    package var column: Int?
    package var detail: String

    package init(file: String, line: Int?, column: Int?, detail: String) {
        self.file = file
        self.line = line
        self.column = column
        self.detail = detail
    }
}
