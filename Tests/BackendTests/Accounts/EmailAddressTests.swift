import Testing

@testable import Backend

@Suite(.timeLimit(.minutes(10))) struct EmailAddressTests {
    @Test(arguments: [
        "a@b.c", "ada.lovelace+tag@sub.example.co.uk", "ä@ö.ü", "<b>@x.y", "\"quoted\"@x.y",
        "a@b..c",
    ]) func `an address that the app accepts is valid`(_ text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(arguments: [
        "", " ", "a", "a@", "@b.c", "a@b", "a@.", "a@b.", "a@.b", "a b@c.d",
        "a@b@c.d", "a@b c.d", "a\u{0}@b.c", "a\r\nBcc: x@b.c", "a\u{7F}@b.c",
        "a\u{2028}b@c.d",
    ])
    func `an address that the app rejects is invalid`(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `an address has at most 254 bytes`() {
        let local = String(repeating: "x", count: 254 - 4)
        #expect(EmailAddress(local + "@b.c") != nil)
        #expect(EmailAddress(local + "x@b.c") == nil)
    }
}
