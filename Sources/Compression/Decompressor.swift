import CZlib

/// Decompresses bodies for inspection.
///
/// Blocks until `limit` bytes are filled: some milliseconds for a megabyte.
package enum Decompressor {
    /// `bytes` decoded from `coding` (RFC 9110, 8.4.1), at most `limit` bytes; nil for an unknown
    /// coding and for bytes that are not in it.
    package static func decompress(_ bytes: [UInt8], coding: String, limit: Int) -> [UInt8]? {
        switch coding.lowercased() {
        case "gzip", "x-gzip": Inflater.inflate(bytes, .gzip, limit)
        // RFC 9110 specifies the zlib format; some servers send raw deflate.
        case "deflate":
            Inflater.inflate(bytes, .zlib, limit) ?? Inflater.inflate(bytes, .raw, limit)
        default: nil
        }
    }
}
