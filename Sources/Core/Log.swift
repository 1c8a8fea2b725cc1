/// One line at a time for the person at the terminal.
///
/// No token, password or bound value is ever passed to it; callers name
/// things by their identifiers.
package struct Log: Sendable {
    /// Takes one line without its newline.
    package var writeLine: @Sendable (String) -> Void

    package init(writeLine: @escaping @Sendable (String) -> Void) { self.writeLine = writeLine }

    package func callAsFunction(_ text: String) { writeLine(text) }

    /// Drops every line.
    package static let silent = Log { _ in }

    /// Writes to standard error from a queue of its own.
    ///
    /// At most 1,000 lines wait; when nobody drains the pipe further lines are
    /// dropped, so a full pipe never stops a request.
    package static func standardError() -> Log {
        let sink = LineSink()
        return Log { sink.write($0) }
    }
}
