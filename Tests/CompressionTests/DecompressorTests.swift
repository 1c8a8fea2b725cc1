import CZlib
import Compression
import FoundationEssentials
import Support
import Testing

@Suite(.timeLimit(.minutes(10))) struct DecompressorTests {
    /// "packed packed packed" compressed by Python's gzip and zlib.
    static let text = "packed packed packed"
    static let compressedTexts: [(String, String)] = [
        ("gzip", "H4sIAAAAAAACAytITM5OTVEoQKYA5pGLBRQAAAA="),
        ("X-GZIP", "H4sIAAAAAAACAytITM5OTVEoQKYA5pGLBRQAAAA="),
        ("deflate", "eJwrSEzOTk1RKECmAE68B3k="), ("deflate", "K0hMzk5NUShApgA="),
    ]

    private func bytes(_ base64: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: base64)))
    }

    @Test(arguments: compressedTexts) func `a compressed body is decompressed`(
        coding: String, base64: String
    ) throws {
        let output = Decompressor.decompress(try bytes(base64), coding: coding, limit: 1_000)
        #expect(output == Array(Self.text.utf8))
    }

    @Test func `the output is no longer than the limit`() throws {
        let output = Decompressor.decompress(
            try bytes(Self.compressedTexts[0].1), coding: "gzip", limit: 6)
        #expect(output == Array("packed".utf8))
    }

    @Test func `a truncated body gives its beginning`() throws {
        let compressed = try bytes(
            "H4sIAAAAAAACAzXRuw0CMRBAwfyqoAT2B1xBBEgn+g8R8jh60Y527evzfd/u"
                + "x/VPrORKrfTKrDxWniuvldP4ZjgBClKgghWwoAUueMnLvRcveclLXvKSl7zk"
                + "Fa94tQ/lFa94xSte8YrXvOY1r/fL8ZrXvOY1r3nDG97whjf7K3jDG97w5jx+nN0DddYBAAA=")
        let output = try #require(
            Decompressor.decompress(
                Array(compressed.prefix(compressed.count - 20)), coding: "gzip", limit: 1 << 20))
        #expect(output.starts(with: Array("line 0\nline 1\n".utf8)))
    }

    @Test(arguments: [
        ("gzip", "plain text"), ("deflate", "{\"a\":1}"), ("gzip", ""), ("br", "whatever"),
        ("gzip, br", "whatever"), ("", "whatever"),
    ]) func `a body that is not in the named coding gives nil`(coding: String, text: String) {
        #expect(Decompressor.decompress(Array(text.utf8), coding: coding, limit: 1_000) == nil)
    }

    // MARK: Generated cases

    /// `bytes` compressed by zlib; `bits` are its window bits, which select the wrapper.
    private func compressWithZlib(_ bytes: [UInt8], bits: Int32, _ fuzz: inout Fuzz) throws
        -> [UInt8]
    {
        var stream = z_stream()
        let strategy = fuzz.one(of: [Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED])
        let code = deflateInit2_(
            &stream, Int32(fuzz.number(below: 10)), Z_DEFLATED, bits,
            1 + Int32(fuzz.number(below: 9)),
            strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        try #require(code == Z_OK)
        defer { deflateEnd(&stream) }
        var input = bytes
        return try [UInt8](unsafeUninitializedCapacity: bytes.count * 2 + 1_000) { buffer, count in
            try input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                try #require(deflate(&stream, Z_FINISH) == Z_STREAM_END)
            }
            count = buffer.count - Int(stream.avail_out)
        }
    }

    private func bytes(_ fuzz: inout Fuzz) -> [UInt8] {
        let pieces = ["token", "token token token ", "{\"a\":", "\0", "é", "\r\n"]
        return fuzz.chance(oneIn: 3)
            ? fuzz.bytes(upTo: 300) : Array(fuzz.text(of: pieces, upTo: 200).utf8)
    }

    /// A coding's name and the window bits with which zlib produces it.
    private func randomCoding(_ fuzz: inout Fuzz) -> (coding: String, bits: Int32) {
        let window = Int32(9 + fuzz.number(below: 7))
        return fuzz.one(of: [
            ("gzip", window + 16), ("x-gzip", window + 16), ("Deflate", window),
            ("deflate", -window),
        ])
    }

    @Test func `any compressed body is decompressed up to the limit`() async {
        await Cases("bodies that are unpacked").check(oneIn: 2) { fuzz in
            let bytes = bytes(&fuzz)
            let (coding, bits) = randomCoding(&fuzz)
            let limit = fuzz.chance(oneIn: 2) ? 100_000 : fuzz.number(below: bytes.count + 2)
            let output = Decompressor.decompress(
                try compressWithZlib(bytes, bits: bits, &fuzz), coding: coding, limit: limit)
            try #require(output == Array(bytes.prefix(limit)))
            return !bytes.isEmpty
        }
    }

    @Test func `a damaged body respects the limit and a truncated one gives only its beginning`()
        async
    {
        await Cases("bodies that are damaged").check(oneIn: 10) { fuzz in
            let bytes = bytes(&fuzz)
            let (coding, bits) = randomCoding(&fuzz)
            let compressed = try compressWithZlib(bytes, bits: bits, &fuzz)
            let limit = fuzz.number(below: 2 * bytes.count + 2)
            let damaged = fuzz.damaged(compressed)
            let output = Decompressor.decompress(damaged, coding: coding, limit: limit)
            try #require((output?.count ?? 0) <= limit)
            let truncated = Array(compressed.prefix(fuzz.number(below: compressed.count)))
            guard let output = Decompressor.decompress(truncated, coding: coding, limit: 100_000)
            else {
                return false
            }
            try #require(bytes.starts(with: output))
            return !output.isEmpty
        }
    }
}
