import CZlib
import Compression
import FoundationEssentials
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct DecompressorTests {
    /// "packed packed packed" as Python's gzip and zlib write it.
    static let text = "packed packed packed"
    static let packed: [(String, String)] = [
        ("gzip", "H4sIAAAAAAACAytITM5OTVEoQKYA5pGLBRQAAAA="),
        ("X-GZIP", "H4sIAAAAAAACAytITM5OTVEoQKYA5pGLBRQAAAA="),
        ("deflate", "eJwrSEzOTk1RKECmAE68B3k="), ("deflate", "K0hMzk5NUShApgA="),
    ]

    private func bytes(_ base64: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: base64)))
    }

    @Test(arguments: packed) func `what a server packed is there again`(
        coding: String, base64: String
    ) throws {
        let out = Decompressor.decompress(try bytes(base64), coding: coding, limit: 1_000)
        #expect(out == Array(Self.text.utf8))
    }

    @Test func `no more comes of it than asked for`() throws {
        let out = Decompressor.decompress(try bytes(Self.packed[0].1), coding: "gzip", limit: 6)
        #expect(out == Array("packed".utf8))
    }

    @Test func `of what is cut off its beginning comes`() throws {
        let all = try bytes(
            "H4sIAAAAAAACAzXRuw0CMRBAwfyqoAT2B1xBBEgn+g8R8jh60Y527evzfd/u"
                + "x/VPrORKrfTKrDxWniuvldP4ZjgBClKgghWwoAUueMnLvRcveclLXvKSl7zk"
                + "Fa94tQ/lFa94xSte8YrXvOY1r/fL8ZrXvOY1r3nDG97whjf7K3jDG97w5jx+nN0DddYBAAA=")
        let out = try #require(
            Decompressor.decompress(
                Array(all.prefix(all.count - 20)), coding: "gzip", limit: 1 << 20))
        #expect(out.starts(with: Array("line 0\nline 1\n".utf8)))
    }

    @Test(arguments: [
        ("gzip", "plain text"), ("deflate", "{\"a\":1}"), ("gzip", ""), ("br", "whatever"),
        ("gzip, br", "whatever"), ("", "whatever"),
    ]) func `what is not packed so gives nothing`(coding: String, text: String) {
        #expect(Decompressor.decompress(Array(text.utf8), coding: coding, limit: 1_000) == nil)
    }

    // MARK: By chance

    /// `bytes` as zlib packs them; `bits` says how they are wrapped.
    private func deflated(_ bytes: [UInt8], bits: Int32, _ fuzz: inout Fuzz) throws -> [UInt8] {
        var stream = z_stream()
        let strategy = fuzz.one(of: [Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED])
        let code = deflateInit2_(
            &stream, Int32(fuzz.number(below: 10)), Z_DEFLATED, bits,
            1 + Int32(fuzz.number(below: 9)),
            strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        try #require(code == Z_OK)
        defer { deflateEnd(&stream) }
        var from = bytes
        return try [UInt8](unsafeUninitializedCapacity: bytes.count * 2 + 1_000) { room, used in
            try from.withUnsafeMutableBufferPointer { from in
                stream.next_in = from.baseAddress
                stream.avail_in = UInt32(from.count)
                stream.next_out = room.baseAddress
                stream.avail_out = UInt32(room.count)
                try #require(deflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
            used = room.count - Int(stream.avail_out)
        }
    }

    private func bytes(_ fuzz: inout Fuzz) -> [UInt8] {
        let pieces = ["token", "token token token ", "{\"a\":", "\0", "é", "\r\n"]
        return fuzz.chance(oneIn: 3)
            ? fuzz.bytes(upTo: 300) : Array(fuzz.text(of: pieces, upTo: 200).utf8)
    }

    /// A coding's name and the window bits that zlib packs for it with.
    private func wrapping(_ fuzz: inout Fuzz) -> (coding: String, bits: Int32) {
        let window = Int32(9 + fuzz.number(below: 7))
        return fuzz.one(of: [
            ("gzip", window + 16), ("x-gzip", window + 16), ("Deflate", window),
            ("deflate", -window),
        ])
    }

    @Test func `whatever was packed comes out, as far as it is asked for`() async {
        await Cases("bodies that are unpacked").check(oneIn: 2) { fuzz in
            let bytes = bytes(&fuzz)
            let (coding, bits) = wrapping(&fuzz)
            let limit = fuzz.chance(oneIn: 2) ? 100_000 : fuzz.number(below: bytes.count + 2)
            let out = Decompressor.decompress(
                try deflated(bytes, bits: bits, &fuzz), coding: coding, limit: limit)
            try #require(out == Array(bytes.prefix(limit)))
            return !bytes.isEmpty
        }
    }

    @Test func `of what is cut off or damaged no more comes than asked for, and nothing made up`()
        async
    {
        await Cases("bodies that are damaged").check(oneIn: 10) { fuzz in
            let bytes = bytes(&fuzz)
            let (coding, bits) = wrapping(&fuzz)
            let whole = try deflated(bytes, bits: bits, &fuzz)
            let limit = fuzz.number(below: 2 * bytes.count + 2)
            let damaged = fuzz.damaged(whole)
            let out = Decompressor.decompress(damaged, coding: coding, limit: limit)
            try #require((out?.count ?? 0) <= limit)
            let cut = Array(whole.prefix(fuzz.number(below: whole.count)))
            guard let out = Decompressor.decompress(cut, coding: coding, limit: 100_000) else {
                return false
            }
            try #require(bytes.starts(with: out))
            return !out.isEmpty
        }
    }
}
