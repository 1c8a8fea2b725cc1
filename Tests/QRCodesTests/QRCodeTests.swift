import Testing

@testable import QRCodes

@Suite(.timeLimit(.minutes(10))) struct QRCodeTests {
    @Test func `a code grows with its text`() throws {
        // Version 1 has 21 modules per side, and each version 4 more.
        #expect(try #require(QRCode("A")).width == 21)
        let uri = "otpauth://totp/x:a@b.example?secret=" + String(repeating: "A", count: 32)
        #expect(try #require(QRCode(uri)).width == 37)
    }

    @Test func `an image has the finder pattern inside a margin of four modules`() throws {
        let svg = try #require(QRCode("A")).svg(moduleSize: 2)
        #expect(svg.contains(#"width="58" height="58" viewBox="0 0 29 29""#))
        // The first row begins with the seven dark modules of the upper left finder pattern.
        #expect(svg.contains(#"<path d="M4 4h7v1h-7z"#))
        // A data URL without percent-encoding would end at a number sign.
        #expect(!svg.contains("#"))
    }

    @Test func `a text that fits no code has none`() {
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
        #expect(QRCode("a\0b") == nil)
    }
}
