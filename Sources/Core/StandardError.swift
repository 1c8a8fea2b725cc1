import Glibc

/// Writes complete texts to standard error.
enum StandardError {
    /// Writes `text`, retrying short writes; blocks, so call it only from a queue.
    static func write(_ text: String) {
        var remaining = Array(text.utf8)[...]
        while !remaining.isEmpty {
            let written = unsafe remaining.withUnsafeBytes { bytes in
                unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            remaining = remaining.dropFirst(written)
        }
    }
}
