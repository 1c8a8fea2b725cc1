/// The steps with which a scripted server responds to a request.
package struct ScriptedReply: Sendable {
    package enum Step: Sendable {
        case send([UInt8])
        /// Repeatedly, until the client disconnects.
        case sendForEver([UInt8])
        case wait(Duration)
        case waitForEver
        /// Closes the connection with RST.
        case reset
        case close
    }

    /// After the last step the connection waits for the next request.
    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package static func bytes(_ bytes: [UInt8]) -> Self { Self([.send(bytes)]) }

    /// Sends `text` unchanged, then closes the connection.
    package static func raw(_ text: String) -> Self { Self([.send(Array(text.utf8)), .close]) }

    /// A valid response, framed by its length.
    package static func answer(
        _ status: Int, _ body: String = "", type: String = "application/json",
        headers: [(String, String)] = []
    ) -> Self {
        var head = "HTTP/1.1 \(status) Scripted\r\n"
        head += "Content-Type: \(type)\r\n"
        head += "Content-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return .bytes(Array((head + "\r\n" + body).utf8))
    }

    package static func redirect(to url: String) -> Self {
        .answer(302, headers: [("Location", url)])
    }

    /// A response with `count` additional fields.
    package static func headers(_ count: Int) -> Self {
        .answer(200, headers: (0..<count).map { ("X-\($0)", "\($0)") })
    }

    /// A chunked body that never ends.
    package static let endless = Self([
        .send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)),
        .sendForEver(
            Array("1000\r\n".utf8) + [UInt8](repeating: 0x61, count: 4096) + Array("\r\n".utf8)),
    ])

    /// Never responds.
    package static let silence = Self([.waitForEver])
    package static let reset = Self([.reset])
    package static let close = Self([.close])

    /// `self`, after `duration`.
    package func delayed(by duration: Duration) -> Self { Self([.wait(duration)] + steps) }

    /// `self`, then closes the connection.
    package var closing: Self { Self(steps + [.close]) }
}
