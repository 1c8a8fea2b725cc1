/// Finds out why a text is no JSON, in PostgreSQL's words.
package struct JSONSyntax {
    private var rest: Substring
    private var token = Token.end

    private enum Token: Equatable {
        case string(Substring), scalar(Substring), mark(Character), end

        var text: String {
            switch self {
            case .string(let text), .scalar(let text): String(text)
            case .mark(let mark): String(mark)
            case .end: ""
            }
        }
    }

    private struct Failure: Error { let details: String }

    private static let maxDepth = 1_000

    /// Nil if the text is JSON.
    package static func error(in text: String) -> ValueError? {
        do throws(Failure) {
            var syntax = Self(rest: text[...])
            try syntax.advance()
            try syntax.value(depth: 0)
            guard syntax.token == .end else { throw syntax.unexpected("end of input") }
            return nil
        } catch {
            return ValueError(
                "22P02", "invalid input syntax for type json", details: error.details)
        }
    }

    private init(rest: Substring) { self.rest = rest }

    private func unexpected(_ expected: String) -> Failure {
        Failure(
            details: token == .end
                ? "The input string ended unexpectedly."
                : "Expected \(expected), but found \"\(token.text.prefix(60))\".")
    }

    private mutating func value(depth: Int) throws(Failure) {
        guard depth < Self.maxDepth else { throw Failure(details: "Nested too deeply.") }
        switch token {
        case .string, .scalar: try advance()
        case .mark("{"): try object(depth: depth + 1)
        case .mark("["): try array(depth: depth + 1)
        default: throw unexpected("JSON value")
        }
    }

    private mutating func object(depth: Int) throws(Failure) {
        try advance()
        var isFirst = true
        while isFirst || token != .mark("}") {
            if isFirst, token == .mark("}") { break }
            if !isFirst {
                guard token == .mark(",") else { throw unexpected("\",\" or \"}\"") }
                try advance()
            }
            guard case .string = token else {
                throw unexpected(isFirst ? "string or \"}\"" : "string")
            }
            try advance()
            guard token == .mark(":") else { throw unexpected("\":\"") }
            try advance()
            try value(depth: depth)
            isFirst = false
        }
        try advance()
    }

    private mutating func array(depth: Int) throws(Failure) {
        try advance()
        if token != .mark("]") {
            try value(depth: depth)
            while token != .mark("]") {
                guard token == .mark(",") else { throw unexpected("\",\" or \"]\"") }
                try advance()
                try value(depth: depth)
            }
        }
        try advance()
    }

    // MARK: Tokens

    private mutating func advance() throws(Failure) {
        rest = rest.drop { " \t\n\r".contains($0) || $0 == "\r\n" }
        guard let first = rest.first else {
            token = .end
            return
        }
        if "{}[],:".contains(first) {
            rest.removeFirst()
            token = .mark(first)
        } else if first == "\"" {
            token = .string(try string())
        } else {
            token = .scalar(try scalar())
        }
    }

    private mutating func string() throws(Failure) -> Substring {
        let start = rest
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return start[..<rest.startIndex]
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                if escaped == "u" {
                    guard rest.prefix(4).count(where: \.isHexDigit) == 4 else {
                        throw Failure(
                            details: "\"\\u\" must be followed by four hexadecimal digits.")
                    }
                    rest = rest.dropFirst(4)
                } else if !"\"\\/bfnrt".contains(escaped) {
                    throw Failure(details: "Escape sequence \"\\\(escaped)\" is invalid.")
                }
            case _ where character.asciiValue ?? 32 < 32:
                let digits = String(character.asciiValue ?? 0, radix: 16)
                throw Failure(
                    details: "Character with value 0x\(digits.count < 2 ? "0" : "")\(digits) "
                        + "must be escaped.")
            default: break
            }
        }
        throw Failure(details: "Token \"\(start.prefix(60))\" is invalid.")
    }

    private mutating func scalar() throws(Failure) -> Substring {
        let isNumber = rest.first?.isNumber ?? false || rest.first == "-"
        var found = rest.prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || isNumber && "+-.".contains($0)
        }
        if found.isEmpty { found = rest.prefix(1) }
        rest = rest.dropFirst(found.count)
        let isValid =
            ["true", "false", "null"].contains(found)
            || isNumber
                && found.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/)
                    != nil
        guard isValid else { throw Failure(details: "Token \"\(found.prefix(60))\" is invalid.") }
        return found
    }
}
