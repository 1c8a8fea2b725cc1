import CZlib

/// zlib's state while it unpacks one body, freed with it.
///
/// It lives at an address of its own: zlib remembers where it was begun.
struct Inflater: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// How the packed bytes are wrapped; the raw value is zlib's
    /// `windowBits`.
    enum Format: Int32 {
        case zlib = 15
        case gzip = 31
        case raw = -15
    }

    /// Nil when memory is short.
    private init?(_ wrapping: Format) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        guard foyer_inflate_begin(stream, wrapping.rawValue) == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Up to `limit` bytes; what is cut off or damaged later on gives what
    /// stands before that. Nil if nothing does, or if it cannot be told.
    static func inflate(_ bytes: [UInt8], _ wrapping: Format, _ limit: Int) -> [UInt8]? {
        guard let inflater = Inflater(wrapping) else { return nil }
        var code = Z_OK
        let stream = inflater.stream
        let out = [UInt8](unsafeUninitializedCapacity: limit) { room, used in
            bytes.withUnsafeBufferPointer { packed in
                // zlib does not write to what it reads.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.baseAddress)
                stream.pointee.avail_in = UInt32(clamping: packed.count)
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(clamping: room.count)
                code = CZlib.inflate(stream, Z_SYNC_FLUSH)
            }
            used = limit - Int(stream.pointee.avail_out)
        }
        let isWhole = code == Z_STREAM_END || out.count == limit
        // Nearly everything begins like something packed without a wrapping.
        let isSure = isWhole || wrapping != .raw && !out.isEmpty
        return isSure ? out : nil
    }
}
