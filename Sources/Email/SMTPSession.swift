import FoundationEssentials
import Web

/// The server's side of an SMTP connection (RFC 5321), as a state machine without I/O.
///
/// Bytes go in, replies and deliveries come out. While a delivery is pending, further bytes wait.
package struct SMTPSession: Sendable {
    /// What the connection does next.
    package enum Output: Sendable, Equatable {
        /// Sends lines, each with its end.
        case reply(String)
        /// Stores a message, and calls `finishDelivery` with the outcome.
        case deliver(SMTPDelivery)
        /// Closes the connection once all replies are sent.
        case close
    }

    private enum Phase {
        case command
        /// The next line answers a challenge of AUTH.
        case plainResponse, loginName
        case loginPassword(name: String)
        case data
        case delivery
        case closed
    }

    private let configuration: SMTPConfiguration
    private var phase = Phase.command
    private var buffer: [UInt8] = []
    private var isExtended = false
    private var hasGreeted = false
    private var destination = SMTPDestination.main
    private var isAuthenticated = false
    /// Nil without a transaction.
    private var sender: String?
    private var recipients: [String] = []
    private var data = MessageData()
    private var errorCount = 0

    package init(_ configuration: SMTPConfiguration) { self.configuration = configuration }

    /// The first reply of a connection.
    package var greeting: String { "220 \(configuration.hostName) ESMTP Foyer\r\n" }

    /// Whether a closed connection would lose a message that is being stored.
    package var isDelivering: Bool { if case .delivery = phase { true } else { false } }

    // MARK: Input

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        buffer += bytes
        return process()
    }

    /// The outcome of the delivery that the last output asked for.
    package mutating func finishDelivery(_ outcome: SMTPDelivery.Outcome) -> [Output] {
        guard case .delivery = phase else { return [] }
        phase = .command
        endTransaction()
        let reply =
            switch outcome {
            case .stored(let id): reply(250, "2.0.0", "Stored as \(id)")
            case .rejected(let reason): reply(554, "5.3.0", reason)
            case .failed(let reason): reply(451, "4.3.0", reason)
            }
        return [reply] + process()
    }

    /// The replies to all complete lines of the buffer.
    private mutating func process() -> [Output] {
        var outputs: [Output] = []
        var position = 0
        loop: while position < buffer.count {
            switch phase {
            case .closed:
                position = buffer.count
                break loop
            case .delivery: break loop
            case .data:
                position = data.append(buffer, from: position, limit: configuration.messageLimit)
                guard data.isComplete else { break loop }
                outputs += finishData()
            case .command, .plainResponse, .loginName, .loginPassword:
                guard let end = buffer[position...].firstIndex(of: 0x0A) else { break loop }
                var line = buffer[position..<end]
                position = end + 1
                if line.last == 0x0D { line.removeLast() }
                outputs +=
                    line.count > configuration.lineLimit
                    ? failure(500, "5.5.2", "Line too long") : respond(to: line)
            }
        }
        buffer.removeFirst(position)
        if isWaitingForLine, buffer.count > configuration.lineLimit {
            // The rest of the line would be read as further commands.
            outputs += [reply(500, "5.5.2", "Line too long"), .close]
            phase = .closed
            buffer = []
        }
        return outputs
    }

    private var isWaitingForLine: Bool {
        switch phase {
        case .command, .plainResponse, .loginName, .loginPassword: true
        case .data, .delivery, .closed: false
        }
    }

    private mutating func respond(to bytes: ArraySlice<UInt8>) -> [Output] {
        let line = String(decoding: bytes, as: UTF8.self)
        switch phase {
        case .plainResponse: return authenticatePlain(line)
        case .loginName:
            guard let name = Self.decoded(line) else { return cancelAuthentication(line) }
            phase = .loginPassword(name: name)
            return [.reply("334 UGFzc3dvcmQ6\r\n")]
        case .loginPassword(let name):
            guard Self.decoded(line) != nil else { return cancelAuthentication(line) }
            return authenticate(name)
        case .command, .data, .delivery, .closed: return execute(line)
        }
    }

    // MARK: Commands

    private mutating func execute(_ line: String) -> [Output] {
        let verb = line.prefix { $0 != " " }.uppercased()
        let argument = String(line.dropFirst(verb.count).trimmingBlanks)
        switch verb {
        case "HELO", "EHLO": return greet(isExtended: verb == "EHLO", argument)
        case "MAIL": return beginTransaction(argument)
        case "RCPT": return addRecipient(argument)
        case "DATA": return beginData(argument)
        case "AUTH": return beginAuthentication(argument)
        case "RSET":
            endTransaction()
            return [reply(250, "2.0.0", "OK")]
        case "NOOP": return [reply(250, "2.0.0", "OK")]
        case "VRFY":
            return [reply(252, "2.1.5", "Every address is accepted; send the message")]
        case "HELP":
            return [
                reply(
                    214, "2.0.0",
                    "Foyer stores every message in its mailbox; HELO EHLO MAIL RCPT DATA RSET NOOP "
                        + "VRFY AUTH HELP QUIT")
            ]
        case "QUIT":
            phase = .closed
            return [reply(221, "2.0.0", "Bye"), .close]
        case "STARTTLS":
            return failure(502, "5.5.1", "TLS is not offered; turn it off in the mail settings")
        case "EXPN", "TURN", "ETRN", "BDAT":
            return failure(502, "5.5.1", "Command not implemented")
        case "GET", "POST", "PUT", "HEAD", "PATCH", "DELETE", "OPTIONS", "CONNECT", "HOST:":
            // A page could send a request whose body contains commands.
            phase = .closed
            return [reply(554, "5.5.1", "This is an SMTP server, not HTTP"), .close]
        default: return failure(500, "5.5.1", "Command not recognized")
        }
    }

    private mutating func greet(isExtended: Bool, _ domain: String) -> [Output] {
        guard !domain.isEmpty else {
            return failure(501, "5.5.4", "Give a host name")
        }
        endTransaction()
        hasGreeted = true
        self.isExtended = isExtended
        guard isExtended else { return [.reply("250 \(configuration.hostName)\r\n")] }
        let lines = [
            configuration.hostName, "SIZE \(configuration.messageLimit)", "8BITMIME", "SMTPUTF8",
            "PIPELINING", "ENHANCEDSTATUSCODES", "AUTH PLAIN LOGIN", "HELP",
        ]
        return [
            .reply(
                lines.enumerated().map { "250\($0 == lines.count - 1 ? " " : "-")\($1)\r\n" }
                    .joined())
        ]
    }

    private mutating func beginTransaction(_ argument: String) -> [Output] {
        guard hasGreeted else { return failure(503, "5.5.1", "Send EHLO first") }
        guard sender == nil else { return failure(503, "5.5.1", "Send RSET first") }
        guard let (address, parameters) = SMTPPath.parse(argument, after: "FROM:") else {
            return failure(501, "5.1.7", "Use MAIL FROM:<address>")
        }
        for parameter in parameters {
            let parts = parameter.uppercased().split(separator: "=", maxSplits: 1)
            let value = parts.count > 1 ? parts[1] : ""
            switch parts.first ?? "" {
            case "SIZE":
                guard let size = Int(value) else {
                    return failure(501, "5.5.4", "SIZE needs a number")
                }
                guard size <= configuration.messageLimit else { return [tooLarge] }
            case "BODY":
                guard value == "7BIT" || value == "8BITMIME" else {
                    return failure(501, "5.5.4", "BODY is 7BIT or 8BITMIME")
                }
            case "SMTPUTF8", "AUTH", "RET", "ENVID": break
            default: return failure(555, "5.5.4", "Parameter not recognized")
            }
        }
        sender = address
        return [reply(250, "2.1.0", "OK")]
    }

    private mutating func addRecipient(_ argument: String) -> [Output] {
        guard sender != nil else { return failure(503, "5.5.1", "Send MAIL first") }
        guard let (address, _) = SMTPPath.parse(argument, after: "TO:"), !address.isEmpty else {
            return failure(501, "5.1.3", "Use RCPT TO:<address>")
        }
        guard recipients.count < configuration.recipientLimit else {
            // No error: the client sends the message to the accepted ones (RFC 5321, 4.5.3.1.10).
            return [reply(452, "4.5.3", "Too many recipients")]
        }
        recipients.append(address)
        return [reply(250, "2.1.5", "OK")]
    }

    private mutating func beginData(_ argument: String) -> [Output] {
        guard argument.isEmpty else { return failure(501, "5.5.4", "DATA takes no argument") }
        guard sender != nil else { return failure(503, "5.5.1", "Send MAIL first") }
        guard !recipients.isEmpty else { return failure(554, "5.5.1", "No recipients") }
        data = MessageData()
        phase = .data
        return [.reply("354 End with a line that has only a dot\r\n")]
    }

    private mutating func finishData() -> [Output] {
        guard !data.isTooLarge else {
            phase = .command
            endTransaction()
            return [tooLarge]
        }
        phase = .delivery
        return [
            .deliver(
                SMTPDelivery(
                    sender: sender ?? "", recipients: recipients, destination: destination,
                    message: data.bytes))
        ]
    }

    private var tooLarge: Output {
        reply(552, "5.3.4", "The message has more than \(configuration.messageLimit) bytes")
    }

    private mutating func endTransaction() {
        sender = nil
        recipients = []
        data = MessageData()
    }

    // MARK: AUTH (RFC 4954)

    private mutating func beginAuthentication(_ argument: String) -> [Output] {
        guard hasGreeted else { return failure(503, "5.5.1", "Send EHLO first") }
        guard !isAuthenticated, sender == nil else {
            return failure(503, "5.5.1", "Already authenticated, or a message has begun")
        }
        let words = argument.split(separator: " ").map(String.init)
        let initial = words.count > 1 ? words[1] : nil
        switch words.first?.uppercased() {
        case "PLAIN":
            if let initial { return authenticatePlain(initial == "=" ? "" : initial) }
            phase = .plainResponse
            return [.reply("334 \r\n")]
        case "LOGIN":
            phase = .loginName
            return initial.map { respond(to: Array($0.utf8)[...]) }
                ?? [.reply("334 VXNlcm5hbWU6\r\n")]
        default: return failure(504, "5.5.4", "Mechanisms: PLAIN, LOGIN")
        }
    }

    /// RFC 4616: authorization, user name and password, separated by NUL.
    private mutating func authenticatePlain(_ line: String) -> [Output] {
        let parts = Self.decoded(line)?.split(separator: "\0", omittingEmptySubsequences: false)
        guard let parts, parts.count == 3 else { return cancelAuthentication(line) }
        return authenticate(String(parts[1]))
    }

    private mutating func cancelAuthentication(_ line: String) -> [Output] {
        phase = .command
        return line == "*"
            ? [reply(501, "5.7.0", "Authentication canceled")]
            : failure(501, "5.5.2", "Not valid base64 of the mechanism")
    }

    /// Any password is accepted: the name selects a workspace and is no secret.
    private mutating func authenticate(_ name: String) -> [Output] {
        phase = .command
        switch configuration.authorize(name) {
        case .accepted(let destination):
            self.destination = destination
            isAuthenticated = true
            return [reply(235, "2.7.0", "Messages go to \(destination.description)")]
        case .rejected(let reason): return failure(535, "5.7.8", reason)
        }
    }

    private static func decoded(_ line: String) -> String? {
        Data(base64Encoded: line).flatMap { String(validating: $0, as: UTF8.self) }
    }

    // MARK: Replies

    /// A reply; after `HELO` without the enhanced status code (RFC 2034).
    private func reply(_ code: Int, _ status: String, _ text: String) -> Output {
        .reply("\(code) " + (isExtended || code >= 400 ? status + " " : "") + text + "\r\n")
    }

    /// A client that makes only errors is disconnected.
    private mutating func failure(_ code: Int, _ status: String, _ text: String) -> [Output] {
        errorCount += 1
        guard errorCount >= configuration.errorLimit else { return [reply(code, status, text)] }
        phase = .closed
        return [reply(code, status, text), reply(421, "4.7.0", "Too many errors"), .close]
    }
}
