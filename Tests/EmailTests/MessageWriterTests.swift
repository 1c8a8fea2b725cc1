import Support
import Testing

@testable import Email

@Suite(.timeLimit(.minutes(10))) struct MessageWriterTests {
    private func message(_ text: String, html: String = "") -> String {
        String(
            decoding: MessageWriter.message(
                headers: [("Subject", "Hello"), ("Content-Type", "multipart/alternative")],
                text: text, html: html), as: UTF8.self)
    }

    @Test func `a message with text and HTML is multipart`() {
        #expect(
            message("Hi\n", html: "<p>Hi</p>") == """
                Subject: Hello\r
                MIME-Version: 1.0\r
                Content-Type: multipart/alternative; boundary="=_alternative"\r
                \r
                --=_alternative\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                Hi\r
                \r
                --=_alternative\r
                Content-Type: text/html; charset=utf-8\r
                Content-Transfer-Encoding: quoted-printable\r
                \r
                <p>Hi</p>\r
                --=_alternative--\r

                """)
    }

    @Test func `a text alone is one part`() {
        #expect(message("a=b").hasSuffix("quoted-printable\r\n\r\na=3Db"))
    }

    @Test(arguments: [
        ("é", "=C3=A9"), (".", "=2E"), ("a \nb", "a=20\r\nb"), ("a\r\nb", "a\r\nb"),
        (String(repeating: "x", count: 76), String(repeating: "x", count: 76)),
        (
            String(repeating: "x", count: 77),
            String(repeating: "x", count: 75) + "=\r\nxx"
        ),
    ]) func `a body is quoted-printable`(text: String, expected: String) {
        #expect(MessageWriter.quotedPrintable(text) == expected)
    }

    @Test func `a line of a field has at most 78 characters and no line break of the value`() {
        let long = MessageWriter.field("Subject", String(repeating: "word ", count: 40))
        for line in long.split(separator: "\r\n") { #expect(line.utf8.count <= 78) }
        #expect(MessageWriter.field("Subject", "a\r\nBcc: b") == "Subject: a Bcc: b")
        #expect(
            MessageWriter.field("Subject", "Código") == "Subject: =?utf-8?B?Q8OzZGlnbw==?=")
        #expect(
            MessageWriter.field("From", "Zoë <z@example.com>")
                == "From: =?utf-8?B?Wm/Dqw==?= <z@example.com>")
    }
}
