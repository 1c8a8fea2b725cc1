import CZlib

/// Decompresses bodies for inspection.
///
/// Blocks until `limit` bytes are filled: some milliseconds for a megabyte.
package enum Decompressor {
    /// `bytes` decoded from `coding` (RFC 9110, 8.4.1), at most `limit` bytes; nil for an unknown
    /// coding and for bytes that are not in it.
    package static func decompress(_ bytes: [UInt8], coding: String, limit: Int) -> [UInt8]? {
        switch coding.lowercased() {
        case "gzip", "x-gzip": inflate(bytes, .gzip, limit)
        // RFC 9110 specifies the zlib format; some servers send raw deflate.
        case "deflate": inflate(bytes, .zlib, limit) ?? inflate(bytes, .raw, limit)
        default: nil
        }
    }

    /// The container format; the raw value is zlib's `windowBits`.
    private enum Format: Int32 {
        case zlib = 15
        case gzip = 31
        case raw = -15
    }

    /// At most `limit` bytes. Truncated or corrupt input yields the bytes before the error; nil if
    /// there are none or memory is short, or for `raw` input that is cut off or corrupt before
    /// `limit`.
    private static func inflate(_ bytes: [UInt8], _ format: Format, _ limit: Int) -> [UInt8]? {
        // On the heap, because zlib stores the address it was initialized at.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        defer { stream.deallocate() }
        guard foyer_inflate_begin(stream, format.rawValue) == Z_OK else { return nil }
        defer { inflateEnd(stream) }
        var code = Z_OK
        let out = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib does not write to its input.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(clamping: input.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(clamping: buffer.count)
                code = CZlib.inflate(stream, Z_SYNC_FLUSH)
            }
            count = limit - Int(stream.pointee.avail_out)
        }
        let isComplete = code == Z_STREAM_END || out.count == limit
        // Almost any input begins like raw deflate.
        let isReliable = isComplete || format != .raw && !out.isEmpty
        return isReliable ? out : nil
    }
}
