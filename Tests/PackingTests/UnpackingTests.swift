import FoundationEssentials
import Packing
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnpackingTests {
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
        let out = Unpacking.unpack(try bytes(base64), coding: coding, limit: 1_000)
        #expect(out == Array(Self.text.utf8))
    }

    @Test func `no more comes of it than asked for`() throws {
        let out = Unpacking.unpack(try bytes(Self.packed[0].1), coding: "gzip", limit: 6)
        #expect(out == Array("packed".utf8))
    }

    @Test func `of what is cut off its beginning comes`() throws {
        let all = try bytes(
            "H4sIAAAAAAACAzXRuw0CMRBAwfyqoAT2B1xBBEgn+g8R8jh60Y527evzfd/u"
                + "x/VPrORKrfTKrDxWniuvldP4ZjgBClKgghWwoAUueMnLvRcveclLXvKSl7zk"
                + "Fa94tQ/lFa94xSte8YrXvOY1r/fL8ZrXvOY1r3nDG97whjf7K3jDG97w5jx+" + "nN0DddYBAAA=")
        let out = try #require(
            Unpacking.unpack(Array(all.prefix(all.count - 20)), coding: "gzip", limit: 1 << 20))
        #expect(out.starts(with: Array("line 0\nline 1\n".utf8)))
    }

    @Test(arguments: [
        ("gzip", "plain text"), ("deflate", "{\"a\":1}"), ("gzip", ""), ("br", "whatever"),
        ("gzip, br", "whatever"), ("", "whatever"),
    ]) func `what is not packed so gives nothing`(coding: String, text: String) {
        #expect(Unpacking.unpack(Array(text.utf8), coding: coding, limit: 1_000) == nil)
    }
}
