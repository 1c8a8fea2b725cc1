import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ]) func `SHA-256 matches the examples of FIPS 180`(_ text: String, _ digest: String) {
        #expect(Digest.sha256(text) == digest)
    }

    @Test func `a NUL is part of the text`() {
        #expect(Digest.sha256("a\0b") != Digest.sha256("a"))
        #expect(Digest.hmac("a\0b", key: [1]) != Digest.hmac("a", key: [1]))
    }

    @Test func `HMAC matches the examples of RFC 4231`() {
        #expect(
            Digest.hmac("Hi There", key: Array(repeating: 0x0b, count: 20))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            Digest.hmac("what do ya want for nothing?", key: Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `an empty key and an empty text have a digest`() {
        #expect(
            Digest.hmac("", key: []) == "b613679a0814d9ec772f95d778c35fc5"
                + "ff1697c493715653c6c712144292c5ad")
    }
}
