import FoundationEssentials
import Support
import Testing

@testable import Email

/// Transcripts of connections: `C:` is sent by the client, `S:` by the server.
@Suite(.timeLimit(.minutes(10))) struct SMTPSessionTests {
    private static func configuration() -> SMTPConfiguration {
        var configuration = SMTPConfiguration { name in
            guard let destination = SMTPDestination(userName: name) else { return .accepted(.main) }
            return destination.workspace == "ws_gone"
                ? .rejected(reason: "Workspace ws_gone has expired") : .accepted(destination)
        }
        configuration.messageLimit = 2_000
        configuration.recipientLimit = 3
        configuration.errorLimit = 6
        return configuration
    }

    /// Plays the client's lines, all at once or byte by byte, and stores what is delivered.
    private func play(_ transcript: String, inOneChunk: Bool) -> (String, [SMTPDelivery]) {
        var session = SMTPSession(Self.configuration())
        var deliveries: [SMTPDelivery] = []
        var log = "S: " + session.greeting.replacing("\r\n", with: "\n")
        func handle(_ outputs: [SMTPSession.Output]) {
            for output in outputs {
                switch output {
                case .reply(let text):
                    for line in text.replacing("\r\n", with: "\n").split(separator: "\n") {
                        log += "S: \(line)\n"
                    }
                case .deliver(let delivery):
                    deliveries.append(delivery)
                    handle(session.finishDelivery(.stored(id: "mail_1")))
                case .close: log += "(closed)\n"
                }
            }
        }
        for line in transcript.split(separator: "\n") where line.hasPrefix("C: ") {
            log += line + "\n"
            let bytes = Array(line.dropFirst(3).utf8) + [0x0D, 0x0A]
            if inOneChunk {
                handle(session.receive(bytes))
            } else {
                for byte in bytes { handle(session.receive([byte])) }
            }
        }
        return (log, deliveries)
    }

    private func expect(
        _ transcript: String, _ sourceLocation: SourceLocation = #_sourceLocation
    ) -> [SMTPDelivery] {
        let (log, deliveries) = play(transcript, inOneChunk: true)
        #expect(log == transcript + "\n", sourceLocation: sourceLocation)
        #expect(
            play(transcript, inOneChunk: false) == (log, deliveries), sourceLocation: sourceLocation
        )
        return deliveries
    }

    @Test func `a message is delivered without the dots of the transport`() {
        let deliveries = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: EHLO client
            S: 250-localhost
            S: 250-SIZE 2000
            S: 250-8BITMIME
            S: 250-SMTPUTF8
            S: 250-PIPELINING
            S: 250-ENHANCEDSTATUSCODES
            S: 250-AUTH PLAIN LOGIN
            S: 250 HELP
            C: MAIL FROM:<app@example.com> SIZE=120 BODY=8BITMIME
            S: 250 2.1.0 OK
            C: RCPT TO:<ada@example.com>
            S: 250 2.1.5 OK
            C: rcpt to:<@relay.example:Eve@example.com>
            S: 250 2.1.5 OK
            C: DATA
            S: 354 End with a line that has only a dot
            C: Subject: Hello
            C:\u{20}
            C: ..dot
            C: .. 
            C: end.
            C: .
            S: 250 2.0.0 Stored as mail_1
            C: QUIT
            S: 221 2.0.0 Bye
            (closed)
            """)
        #expect(deliveries.map(\.sender) == ["app@example.com"])
        #expect(deliveries.first?.recipients == ["ada@example.com", "Eve@example.com"])
        #expect(deliveries.first?.destination == .main)
        #expect(
            deliveries.first.map { String(decoding: $0.message, as: UTF8.self) }
                == "Subject: Hello\r\n\r\n.dot\r\n. \r\nend.\r\n")
    }

    @Test func `commands out of order and malformed ones are rejected`() {
        _ = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: MAIL FROM:<a@example.com>
            S: 503 5.5.1 Send EHLO first
            C: HELO client
            S: 250 localhost
            C: RCPT TO:<a@example.com>
            S: 503 5.5.1 Send MAIL first
            C: MAIL FROM:<a@example.com> SIZE=2001
            S: 552 5.3.4 The message has more than 2000 bytes
            C: MAIL FROM:<>
            S: 250 OK
            C: DATA
            S: 554 5.5.1 No recipients
            C: RCPT TO:<>
            S: 501 5.1.3 Use RCPT TO:<address>
            C: RSET
            S: 250 OK
            C: MAIL FROM: a@example.com
            S: 250 OK
            C: MAIL FROM:<b@example.com>
            S: 503 5.5.1 Send RSET first
            C: NOOP
            S: 250 OK
            C: VRFY ada
            S: 252 Every address is accepted; send the message
            C: STARTTLS
            S: 502 5.5.1 TLS is not offered; turn it off in the mail settings
            S: 421 4.7.0 Too many errors
            (closed)
            """)
    }

    @Test func `an HTTP request is not read as commands`() {
        _ = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: POST / HTTP/1.1
            S: 554 5.5.1 This is an SMTP server, not HTTP
            (closed)
            C: MAIL FROM:<a@example.com>
            """)
    }

    @Test func `of too many recipients the first get the message`() {
        let rejected = (4...12).map {
            "C: RCPT TO:<\($0)@example.com>\nS: 452 4.5.3 Too many recipients"
        }
        let deliveries = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: HELO client
            S: 250 localhost
            C: MAIL FROM:<a@example.com>
            S: 250 OK
            C: RCPT TO:<1@example.com>
            S: 250 OK
            C: RCPT TO:<2@example.com>
            S: 250 OK
            C: RCPT TO:<3@example.com>
            S: 250 OK
            \(rejected.joined(separator: "\n"))
            C: DATA
            S: 354 End with a line that has only a dot
            C: .
            S: 250 Stored as mail_1
            """)
        #expect(deliveries.map(\.recipients.count) == [3])
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test func `AUTH PLAIN selects a workspace and an app by the user name`() {
        let deliveries = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: HELO client
            S: 250 localhost
            C: AUTH PLAIN \(base64("\0ws_gone/shop\0secret"))
            S: 535 5.7.8 Workspace ws_gone has expired
            C: AUTH PLAIN \(base64("\0ws_1/shop\0secret"))
            S: 235 Messages go to workspace ws_1, app shop
            C: AUTH PLAIN \(base64("\0ws_1\0secret"))
            S: 503 5.5.1 Already authenticated, or a message has begun
            C: MAIL FROM:<a@example.com>
            S: 250 OK
            C: RCPT TO:<b@example.com>
            S: 250 OK
            C: DATA
            S: 354 End with a line that has only a dot
            C: .
            S: 250 Stored as mail_1
            """)
        #expect(
            deliveries.map(\.destination) == [SMTPDestination(workspace: "ws_1", app: "shop")])
        #expect(deliveries.first?.message == [])
    }

    @Test func `AUTH LOGIN asks for name and password, and other names send to main`() {
        _ = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: HELO client
            S: 250 localhost
            C: AUTH CRAM-MD5
            S: 504 5.5.4 Mechanisms: PLAIN, LOGIN
            C: AUTH LOGIN
            S: 334 VXNlcm5hbWU6
            C: *
            S: 501 5.7.0 Authentication canceled
            C: AUTH PLAIN
            S: 334\u{20}
            C: ???
            S: 501 5.5.2 Not valid base64 of the mechanism
            C: AUTH LOGIN \(base64("apikey"))
            S: 334 UGFzc3dvcmQ6
            C: \(base64("secret"))
            S: 235 Messages go to workspace main
            """)
    }

    @Test func `a message above the limit is read to its end and rejected`() {
        let line = String(repeating: "x", count: 998)
        let deliveries = expect(
            """
            S: 220 localhost ESMTP Foyer
            C: HELO client
            S: 250 localhost
            C: MAIL FROM:<a@example.com>
            S: 250 OK
            C: RCPT TO:<b@example.com>
            S: 250 OK
            C: DATA
            S: 354 End with a line that has only a dot
            C: \(line)
            C: \(line)
            C: \(line)
            C: .
            S: 552 5.3.4 The message has more than 2000 bytes
            C: NOOP
            S: 250 OK
            """)
        #expect(deliveries.isEmpty)
    }

    private func session(_ configuration: SMTPConfiguration = configuration()) -> SMTPSession {
        var session = SMTPSession(configuration)
        _ = session.receive(
            Array("EHLO c\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\n".utf8))
        return session
    }

    private func message(of outputs: [SMTPSession.Output]) -> String? {
        for case .deliver(let delivery) in outputs {
            return String(decoding: delivery.message, as: UTF8.self)
        }
        return nil
    }

    /// Otherwise a message could contain another one with its own envelope.
    @Test func `only CR LF ends a line before the last dot`() {
        var session = session()
        #expect(message(of: session.receive(Array("a\n.\r\nb\n.\nc\r\n".utf8))) == nil)
        #expect(message(of: session.receive(Array(".\r\n".utf8))) == "a\n.\r\nb\n.\nc\r\n")
    }

    @Test func `a long line without an end is not held back, and a dot in it is no end`() {
        var configuration = Self.configuration()
        configuration.messageLimit = 1 << 20
        var session = session(configuration)
        let part = String(repeating: "x", count: 5_000)
        for _ in 0..<3 { #expect(session.receive(Array(part.utf8)).isEmpty) }
        #expect(
            message(of: session.receive(Array(".\r\n.\r\n".utf8)))
                == part + part + part + ".\r\n")
    }

    @Test func `pipelined commands wait for a pending delivery`() {
        var session = session()
        let outputs = session.receive(
            Array("Hi\r\n.\r\nMAIL FROM:<a@b.c>\r\nQUIT\r\n".utf8))
        #expect(message(of: outputs) == "Hi\r\n")
        #expect(outputs.count == 1)
        #expect(session.isDelivering)
        #expect(
            session.finishDelivery(.failed(reason: "Storage error")) == [
                .reply("451 4.3.0 Storage error\r\n"), .reply("250 2.1.0 OK\r\n"),
                .reply("221 2.0.0 Bye\r\n"), .close,
            ])
    }

    @Test func `a command without an end closes the connection at the limit`() {
        var session = SMTPSession(Self.configuration())
        #expect(session.receive(Array(repeating: 0x41, count: 12_288)).isEmpty)
        #expect(
            session.receive([0x41]) == [.reply("500 5.5.2 Line too long\r\n"), .close])
        #expect(session.receive(Array("QUIT\r\n".utf8)).isEmpty)
    }

    @Test func `random bytes never stop a session`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "EHLO x\r\n", "MAIL FROM:<a@b.c>\r\n", "RCPT TO:<d@e.f>\r\n", "DATA\r\n", "\r\n.\r\n",
            "AUTH LOGIN\r\n", "AUTH PLAIN =\r\n", "\0", "\r", "\n", "<>", ".", "=?",
        ].map { Array($0.utf8) }
        for _ in 0..<2_000 {
            var session = SMTPSession(Self.configuration())
            for _ in 0..<20 {
                let bytes =
                    Bool.random(using: &random)
                    ? pieces.randomElement(using: &random) ?? []
                    : (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
                for case .deliver in session.receive(bytes) {
                    _ = session.finishDelivery(.stored(id: "m"))
                }
            }
        }
    }
}
