import Glibc

/// Standard error, written whole.
enum StandardError {
    /// Writes `text`, retrying short writes; blocks, so only from a queue.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
