import Dispatch
import Glibc

/// What is said to the person at the terminal.
enum StandardOutput {
    /// One line of news, at once even when standard output is a pipe.
    static func info(_ line: String) { queue.sync { writeAll(line + "\n", to: 1) } }

    /// One line of trouble, on standard error.
    static func warn(_ line: String) { queue.sync { writeAll("foyer: " + line + "\n", to: 2) } }

    /// One line of progress, on standard error: whoever reads it there may
    /// take their time, and nobody waits for them.
    static func progress(_ line: String) { queue.async { writeAll(line + "\n", to: 2) } }

    /// Keeps them in order: what is said comes after what was remarked.
    private static let queue = DispatchQueue(label: "foyer.lines")

    private static func writeAll(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(descriptor, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
