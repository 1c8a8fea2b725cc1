import Core
import Web

/// A search of exchanges as typed: filters such as `status:401`, and words.
///
/// Terms are separated by spaces and must all hold: `status:4xx path:/auth -method:GET "not found"`.
/// A minus excludes. A value or a word in double quotes may contain spaces; `\"` is a quote in it.
package struct ExchangeSearch: Sendable, Equatable {
    /// The conditions; without those of terms that have an error.
    package private(set) var terms: [ExchangeTerm] = []
    /// One sentence per term that is no valid filter.
    package private(set) var errors: [String] = []

    package static let keys = [
        "app", "call", "cause", "device", "fault", "has", "host", "method", "path", "rule",
        "status",
    ]

    /// The number of terms to which the length of the database statement is limited.
    private static let maxTerms = 64

    package init(_ text: String) {
        var rest = text[...]
        while let token = Token(&rest) {
            do throws(InvalidTerm) {
                let term = ExchangeTerm(
                    try Self.condition(token), isExcluded: token.isExcluded)
                if !terms.contains(term) { terms.append(term) }
            } catch { errors.append(error.detail) }
        }
        if terms.count > Self.maxTerms {
            errors.append("A search has at most \(Self.maxTerms) different terms.")
        }
    }

    private struct InvalidTerm: Error { let detail: String }

    private static func condition(_ token: Token) throws(InvalidTerm) -> ExchangeTerm.Condition {
        guard let key = token.key else { return .text(token.value) }
        let value = token.value
        guard keys.contains(key) else {
            throw InvalidTerm(
                detail: "\"\(key.prefix(40)):\" is not a filter. Valid filters: "
                    + keys.map { $0 + ":" }.joined(separator: ", ")
                    + ". Put text with a colon in quotes.")
        }
        func checked<Value>(_ value: Value?, _ rule: String) throws(InvalidTerm) -> Value {
            if let value { return value }
            throw InvalidTerm(detail: "\(key): must be \(rule).")
        }
        switch key {
        case "app": return .app(try checked(value.nonEmpty, "an app's id"))
        case "call": return .call(try checked(value.nonEmpty, "a call's name, such as call:login"))
        case "device": return .device(try checked(value.nonEmpty, "a device's id"))
        case "host": return .host(try checked(value.nonEmpty, "a part of the host"))
        case "method": return .method(try checked(value.nonEmpty, "a method, such as method:POST"))
        case "path": return .path(try checked(value.nonEmpty, "a part of path and query"))
        case "fault":
            _ = try checked(value == "applied" ? value : nil, "applied")
            return .faulted
        case "rule":
            _ = try checked(value == "applied" ? value : nil, "applied")
            return .ruled
        case "has":
            _ = try checked(value == "token" ? value : nil, "token")
            return .token
        case "cause":
            let causes = ExchangeContext.Cause.allCases
            return .cause(
                try checked(
                    causes.first {
                        [$0.rawValue, $0.label].contains { $0.lowercased() == value.lowercased() }
                    }, "one of " + causes.map(\.rawValue).joined(separator: ", ")))
        default:
            return .status(
                try checked(
                    ExchangeQuery.StatusFilter(value), ExchangeQuery.StatusFilter.rule))
        }
    }

    /// A term as typed.
    private struct Token {
        var isExcluded = false
        /// Lowercase; nil for a word.
        var key: String?
        var value = ""

        /// Reads the next term; nil at the end.
        init?(_ rest: inout Substring) {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return nil }
            if rest.first == "-", rest.dropFirst().first.map({ !$0.isWhitespace }) == true {
                isExcluded = true
                rest.removeFirst()
            }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            let afterName = rest[name.endIndex...]
            // `http://…` is a word.
            if !name.isEmpty, afterName.first == ":", !afterName.hasPrefix("://") {
                key = name.lowercased()
                rest = afterName.dropFirst()
            }
            value = rest.first == "\"" ? Self.quoted(&rest) : Self.unquoted(&rest)
        }

        private static func unquoted(_ rest: inout Substring) -> String {
            let text = rest.prefix { !$0.isWhitespace }
            rest = rest[text.endIndex...]
            return String(text)
        }

        /// Without a closing quote, the text to the end.
        private static func quoted(_ rest: inout Substring) -> String {
            var text = ""
            rest.removeFirst()
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let next = rest.first, next == "\"" || next == "\\" else {
                    text.append(character)
                    continue
                }
                text.append(rest.removeFirst())
            }
            return text
        }
    }
}

/// One condition of a list of exchanges.
package struct ExchangeTerm: Sendable, Equatable {
    package let condition: Condition
    /// Whether the exchanges that meet the condition are left out.
    package let isExcluded: Bool

    package init(_ condition: Condition, isExcluded: Bool = false) {
        self.condition = condition
        self.isExcluded = isExcluded
    }

    /// A text is a part of the URL, a body, the status, the method or the app, a host and a path
    /// are parts of theirs.
    package enum Condition: Sendable, Equatable {
        case app(String), device(String), call(String), method(String)
        case cause(ExchangeContext.Cause)
        case status(ExchangeQuery.StatusFilter)
        case faulted, ruled, token
        case host(String), path(String), text(String)
    }
}

extension ExchangeQuery.StatusFilter {
    package static let rule = "401, 4xx, error (400 and above) or failed (no response)"

    /// `401`, `4xx`, `failed` (no response) or `error` (400 and above).
    package init?(_ word: String) {
        switch word.lowercased() {
        case "failed": self = .noResponse
        case "error": self = .httpError
        case "1xx": self = .statusClass(1)
        case "2xx": self = .statusClass(2)
        case "3xx": self = .statusClass(3)
        case "4xx": self = .statusClass(4)
        case "5xx": self = .statusClass(5)
        default:
            guard let status = Int(word), (100...599).contains(status) else { return nil }
            self = .exact(status)
        }
    }
}
