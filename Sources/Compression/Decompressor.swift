import CZlib

/// Undoes the packing of a body, for those who want to look into it.
///
/// Blocks for as long as it takes to fill `limit` bytes: some milliseconds
/// for a megabyte.
package enum Decompressor {
    /// What `bytes` were before `coding` (RFC 9110, 8.4.1), as far as they go
    /// and no further than `limit`; nil for a coding we do not know, and for
    /// bytes that are not packed by it.
    package static func decompress(_ bytes: [UInt8], coding: String, limit: Int) -> [UInt8]? {
        switch coding.lowercased() {
        case "gzip", "x-gzip": Inflater.inflate(bytes, .gzip, limit)
        // The standard wraps it in zlib's format; some servers do not.
        case "deflate":
            Inflater.inflate(bytes, .zlib, limit) ?? Inflater.inflate(bytes, .raw, limit)
        default: nil
        }
    }
}
