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

/// zlib's state for decompressing one body; released with it.
///
/// It is heap-allocated, because zlib stores the address it was initialized at.
struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// The container format; the raw value is zlib's `windowBits`.
    enum Format: Int32 {
        case zlib = 15
        case gzip = 31
        case raw = -15
    }

    /// Nil if out of memory.
    private init?(_ format: Format) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        guard foyer_inflate_begin(stream, format.rawValue) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// At most `limit` bytes. Truncated or corrupt input yields the bytes before the error; nil if
    /// there are none, or for `raw` input that is cut off or corrupt before `limit`.
    static func inflate(_ bytes: [UInt8], _ format: Format, _ limit: Int) -> [UInt8]? {
        guard let inflater = Inflater(format) else { return nil }
        var code = Z_OK
        let stream = inflater.stream
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
