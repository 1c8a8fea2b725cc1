import Core
import Dispatch

/// Messages to the user at the terminal.
enum StandardOutput {
    /// Writes a line to standard output, unbuffered even when it is a pipe.
    static func info(_ line: String) { queue.sync { writeAll(line + "\n", to: 1) } }

    /// Writes a line to standard error.
    static func warn(_ line: String) { queue.sync { writeAll("foyer: " + line + "\n", to: 2) } }

    /// Writes a line of progress to standard error without waiting for a slow reader.
    static func progress(_ line: String) { queue.async { writeAll(line + "\n", to: 2) } }

    /// Keeps the lines of all three in order.
    private static let queue = DispatchQueue(label: "foyer.lines")

    /// A reader that has gone is no error.
    private static func writeAll(_ text: String, to descriptor: Int32) {
        _ = FileWriting.writeAll(text.utf8, to: descriptor)
    }
}
