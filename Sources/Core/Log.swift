/// Writes log lines for the user at the terminal.
///
/// No token, password or bound value is ever passed to it; callers refer to things by their
/// identifiers.
package struct Log: Sendable {
    /// Writes one line, passed without its newline.
    package var writeLine: @Sendable (String) -> Void

    package init(writeLine: @escaping @Sendable (String) -> Void) { self.writeLine = writeLine }

    package func callAsFunction(_ text: String) { writeLine(text) }

    /// Drops every line.
    package static let silent = Log { _ in }

    /// Writes to standard error from its own queue.
    ///
    /// At most 1,000 lines wait. While the pipe is not drained, further lines are dropped, so that
    /// a full pipe never stops a request.
    package static func standardError() -> Log {
        let sink = LineSink()
        return Log { sink.write($0) }
    }
}
