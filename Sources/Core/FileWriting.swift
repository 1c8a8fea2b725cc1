import Glibc

/// Writes complete contents to file descriptors.
package enum FileWriting {
    /// Writes all of `bytes`, retrying short writes. Returns the error, nil if all was written.
    package static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Int32? {
        var remaining = Array(bytes)[...]
        while !remaining.isEmpty {
            let count = unsafe remaining.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            remaining = remaining.dropFirst(count)
        }
        return nil
    }
}
