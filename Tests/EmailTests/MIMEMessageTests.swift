import Support
import Testing

@testable import Email

@Suite(.timeLimit(.minutes(10))) struct MIMEMessageTests {
    private func message(_ text: String) -> MIMEMessage {
        MIMEMessage(Array(text.replacing("\n", with: "\r\n").utf8))
    }

    @Test(arguments: [
        ("=?utf-8?B?Q8OzZGlnbw==?=", "Código"), ("=?ISO-8859-1?Q?C=F3digo_1?= x", "Código 1 x"),
        ("=?utf-8?Q?a?= =?utf-8?Q?b?=", "ab"), ("=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c"),
        // A character in two words.
        ("=?utf-8?B?w4M=?=\r\n =?utf-8?B?wq0=?=", "Ã­"), ("=?utf-8?B?w?= =?utf-8?B?qQ==?=", nil),
        ("=?windows-1252?Q?=80_5?=", "€ 5"), ("=?unknown?Q?caf=E9?=", "café"),
        ("=?broken", "=?broken"),
        ("a =?utf-8?X?b?= c", "a =?utf-8?X?b?= c"), ("plain", "plain"),
    ]) func `a header field is decoded`(value: String, expected: String?) {
        let decoded = message("Subject: \(value.replacing("\r\n", with: "\n"))\n\n").header(
            "subject")
        if let expected { #expect(decoded == expected) } else { #expect(decoded != nil) }
    }

    @Test func `text and HTML of nested parts are found, others are attachments`() {
        let parsed = message(
            """
            From: Shop <shop@example.com>
            Content-Type: multipart/mixed; boundary="outer"

            Ignored
            --outer
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            Caf=E9 =
            here=
            --inner
            Content-Type: text/html
            Content-Transfer-Encoding: base64

            PGI+SGk8
            L2I+
            --inner--
            --outer
            Content-Type: image/png
            Content-ID: <logo@x>
            Content-Disposition: inline; filename*=utf-8''caf%C3%A9.png
            Content-Transfer-Encoding: base64

            AAEC
            --outer--
            Ignored
            """)
        #expect(parsed.text == "Café here")
        #expect(parsed.html == "<b>Hi</b>")
        #expect(
            parsed.attachments == [
                .init(
                    name: "café.png", mediaType: "image/png", contentID: "logo@x", bytes: [0, 1, 2])
            ])
    }

    @Test func `malformed messages become text`() {
        #expect(message("no header at all\nnext").text == "no header at all\nnext")
        #expect(message("").text.isEmpty)
        #expect(message("Subject: x").header("subject") == "x")
        #expect(
            message("Content-Type: multipart/mixed\n\nno boundary").text == "no boundary")
        #expect(
            message("Content-Type: multipart/mixed; boundary=b\n\nnever begins").text
                == "never begins")
        #expect(
            message("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nnever ends").text
                == "never ends")
        #expect(MIMEMessage([0xFF, 0x80]).text == "ÿ€")
    }

    @Test func `deep nesting and many parts end`() {
        var nested = "text"
        for depth in 0..<100 {
            nested =
                "Content-Type: multipart/mixed; boundary=\"b\(depth)\"\n\n--b\(depth)\n"
                + nested + "\n--b\(depth)--\n"
        }
        #expect(message(nested).text.contains("text"))
        let many =
            "Content-Type: multipart/mixed; boundary=b\n\n"
            + String(repeating: "--b\n\nx\n", count: 5_000) + "--b--\n"
        #expect(message(many).text.count <= 501)
    }

    @Test func `what the writer writes is read as it was`() {
        let bytes = MessageWriter.message(
            headers: [
                ("Subject", "Dein Bestätigungscode für Müller"), ("From", "Zoë <z@example.com>"),
            ],
            text: "Grüße = 1\n.\nEnde \n", html: "<p>Grüße</p>")
        let parsed = MIMEMessage(bytes)
        #expect(parsed.header("subject") == "Dein Bestätigungscode für Müller")
        #expect(parsed.header("from") == "Zoë <z@example.com>")
        #expect(parsed.text == "Grüße = 1\n.\nEnde \n")
        #expect(parsed.html == "<p>Grüße</p>")
    }

    @Test func `random bytes are read`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "Content-Type: multipart/mixed; boundary=b\r\n", "\r\n", "--b\r\n", "--b--",
            "=?utf-8?B?",
            "?=", "Content-Transfer-Encoding: base64\r\n", "=", "\"", ";", "charset*0*=a'b'%",
        ].map { Array($0.utf8) }
        for _ in 0..<2_000 {
            let bytes = (0..<30).flatMap { _ in
                Bool.random(using: &random)
                    ? pieces.randomElement(using: &random) ?? []
                    : [UInt8.random(in: 0...255, using: &random)]
            }
            _ = MIMEMessage(bytes)
        }
    }
}
