import Web

/// A message received by SMTP.
package struct SMTPDelivery: Sendable, Equatable {
    /// The envelope's sender; empty for a notice about another mail.
    package let sender: String
    /// The envelope's recipients.
    package let recipients: [String]
    package let destination: SMTPDestination
    /// As sent, without dots added for the transport.
    package let message: [UInt8]

    package init(
        sender: String, recipients: [String], destination: SMTPDestination, message: [UInt8]
    ) {
        self.sender = sender
        self.recipients = recipients
        self.destination = destination
        self.message = message
    }

    /// What became of a message.
    package enum Outcome: Sendable, Equatable {
        case stored(id: String)
        /// Sending it again does not help.
        case rejected(reason: String)
        /// A later attempt may succeed.
        case failed(reason: String)
    }
}

/// Where a connection's messages go: a workspace, and the app they belong to, if any.
package struct SMTPDestination: Sendable, Equatable, CustomStringConvertible {
    package let workspace: String
    package let app: String?

    package init(workspace: String, app: String?) {
        self.workspace = workspace
        self.app = app
    }

    /// Without AUTH.
    package static let main = SMTPDestination(workspace: "main", app: nil)

    package var description: String { "workspace \(workspace)" + (app.map { ", app \($0)" } ?? "") }

    /// The destination that a user name selects: `{workspace}` or `{workspace}/{app}`.
    ///
    /// Nil for any other name: a backend with credentials for another server sends to `main`.
    package init?(userName: String) {
        let parts = userName.split(separator: "/", maxSplits: 1).map(String.init)
        guard let workspace = parts.first, workspace == "main" || workspace.hasPrefix("ws_") else {
            return nil
        }
        self.init(workspace: workspace, app: parts.count > 1 ? parts[1] : nil)
    }
}

/// The name and the limits of an SMTP server.
package struct SMTPConfiguration: Sendable {
    package var hostName = "localhost"
    /// In bytes.
    package var messageLimit = 10 << 20
    /// Of a command, without its end; responses of AUTH are longer than others (RFC 4954, 4).
    package var lineLimit = 12_288
    /// RFC 5321, 4.5.3.1.8: at least 100.
    package var recipientLimit = 100
    package var errorLimit = 20
    /// The destination for a user name.
    package var authorize: @Sendable (String) -> Authorization

    /// Whether a user name is accepted.
    package enum Authorization: Sendable, Equatable {
        case accepted(SMTPDestination)
        case rejected(reason: String)
    }

    package init(
        authorize: @escaping @Sendable (String) -> Authorization = { _ in .accepted(.main) }
    ) {
        self.authorize = authorize
    }
}

/// The lines of a message up to the one that has only a dot (RFC 5321, 4.5.2).
struct MessageData: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var isComplete = false
    private(set) var isTooLarge = false
    /// Only after CR LF: a server that also accepts LF before the last dot lets a sender smuggle a
    /// second message.
    private var isAtLineStart = true

    /// Appends complete lines of `buffer`, and of a long line what there is. Returns the position
    /// after what was read.
    mutating func append(_ buffer: [UInt8], from start: Int, limit: Int) -> Int {
        var position = start
        while position < buffer.count, !isComplete {
            guard let end = buffer[position...].firstIndex(of: 0x0A) else {
                // A bare CR may be the first half of a line's end, a dot the start of the last line.
                guard buffer.count - position > 4_096 else { return position }
                add(buffer[position..<(buffer.count - 1)], limit)
                isAtLineStart = false
                return buffer.count - 1
            }
            let line = buffer[position...end]
            if isAtLineStart, line.elementsEqual([0x2E, 0x0D, 0x0A]) {
                isComplete = true
            } else {
                add(isAtLineStart && line.first == 0x2E ? line.dropFirst() : line, limit)
                isAtLineStart =
                    line.suffix(2).elementsEqual([0x0D, 0x0A])
                    // The CR was read with the first part of a long line.
                    || line.count == 1 && bytes.suffix(2).elementsEqual([0x0D, 0x0A])
            }
            position = end + 1
        }
        return position
    }

    private mutating func add(_ line: ArraySlice<UInt8>, _ limit: Int) {
        guard bytes.count + line.count <= limit else {
            isTooLarge = true
            bytes = []
            return
        }
        if !isTooLarge { bytes += line }
    }
}

/// A path of MAIL or RCPT (RFC 5321, 4.1.2).
enum SMTPPath {
    /// The address and the parameters of `FROM:<address> SIZE=100`; nil if it is malformed. A
    /// source route is ignored, as RFC 5321 requires.
    static func parse(_ argument: String, after keyword: String) -> (String, [String])? {
        guard argument.uppercased().hasPrefix(keyword) else { return nil }
        let rest = argument.dropFirst(keyword.count).trimmingBlanks
        let path: Substring
        let tail: Substring
        if rest.hasPrefix("<") {
            guard let end = rest.lastIndex(of: ">") else { return nil }
            path = rest[rest.index(after: rest.startIndex)..<end]
            tail = rest[rest.index(after: end)...]
        } else {
            // Some clients omit the brackets.
            path = rest.prefix { $0 != " " }
            tail = rest[path.endIndex...]
        }
        var address = String(path)
        if address.hasPrefix("@"), let colon = address.firstIndex(of: ":") {
            address = String(address[address.index(after: colon)...])
        }
        let isValid =
            address.utf8.count <= 254 && !address.containsControlCharacter
            && !address.contains("<") && !address.contains(">")
            && (address.isEmpty || !address.hasPrefix("@") && !address.hasSuffix("@"))
        guard isValid, rest.hasPrefix("<") || !address.isEmpty else { return nil }
        return (address, tail.split(separator: " ").map(String.init))
    }
}
