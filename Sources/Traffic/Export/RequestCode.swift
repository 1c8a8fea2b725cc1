import FoundationEssentials
import Web

/// A recorded request as a command or program that sends it again, in one of several languages.
///
/// A password stays `‹password›` because it was never stored.
package enum RequestCode: String, Sendable, CaseIterable {
    case curl, fetch, urlsession, requests, httpie

    package var name: String {
        switch self {
        case .curl: "cURL"
        case .fetch: "fetch"
        case .urlsession: "Swift URLSession"
        case .requests: "Python requests"
        case .httpie: "HTTPie"
        }
    }

    /// Tokens are masked unless `tokens` has the unmasked ones by index.
    package func text(_ exchange: ExchangeDetail, tokens: [String]? = nil) -> String {
        let request = CodeRequest(exchange, tokens: tokens)
        let text =
            switch self {
            case .curl: request.curl
            case .fetch: request.fetch
            case .urlsession: request.urlSession
            case .requests: request.pythonRequests
            case .httpie: request.httpie
            }
        let comment = self == .fetch || self == .urlsession ? "//" : "#"
        return (request.note.map { "\(comment) \($0)\n" } ?? "") + text
    }
}

/// The parts of a request that a program states.
private struct CodeRequest {
    let method: String
    let url: String
    let headers: [Headers.Field]
    /// Nil without a body.
    let body: Body?
    /// Why the body is not the one that was sent.
    let note: String?

    enum Body {
        case text(String)
        case binary(String)
    }

    /// Fields that the client writes itself, and the content encoding: bodies are recorded decoded.
    private static let excludedHeaders: Set<String> = [
        "host", "content-length", "connection", "accept-encoding", "content-encoding",
    ]

    init(_ exchange: ExchangeDetail, tokens: [String]?) {
        func fill(_ text: String) -> String { exchange.filled(text, with: tokens) }
        method = exchange.exchange.method
        url = fill(exchange.exchange.url)
        headers = exchange.requestHeaders.fields.filter {
            !Self.excludedHeaders.contains($0.name.lowercased())
        }.map { .init(name: $0.name, value: fill($0.value)) }
        let recorded = exchange.requestBody
        if recorded.isWithheld {
            (body, note) = (nil, "The body was not stored.")
            return
        }
        note =
            recorded.isTruncated
            ? "Only the first \(recorded.storedLength) of \(recorded.length) bytes were stored."
            : nil
        if let text = recorded.text {
            body = text.isEmpty ? nil : .text(fill(text))
        } else {
            body = .binary(Data(recorded.bytes).base64EncodedString())
        }
    }

    private var hasContentType: Bool {
        headers.contains { $0.name.lowercased() == "content-type" }
    }

    // MARK: Shell commands

    /// In a POSIX shell, single quotes escape everything but single quotes.
    private static func quote(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private var quotedMethod: String {
        method.utf8.allSatisfy { $0 < 128 && Character(UnicodeScalar($0)).isLetter }
            ? method : Self.quote(method)
    }

    /// `-g` keeps curl from interpreting brackets and braces in the URL; a header argument that ends
    /// in `;` sends an empty value, one that ends in `:` none. `-X HEAD` would wait for a body.
    var curl: String {
        let verb = method == "HEAD" ? "--head" : "-X \(quotedMethod)"
        var lines = ["curl -g -sS \(verb) " + Self.quote(url)]
        for field in headers {
            lines.append(
                "-H " + Self.quote(field.name + (field.value.isEmpty ? ";" : ": " + field.value)))
        }
        if body != nil, !hasContentType { lines.append("-H 'Content-Type:'") }
        switch body {
        case nil: break
        case .text(let text): lines.append("--data-raw " + Self.quote(text))
        case .binary(let base64):
            lines[0] = "printf %s \(base64) | base64 -d | " + lines[0]
            lines.append("--data-binary @-")
        }
        return lines.joined(separator: " \\\n  ")
    }

    /// A value that begins with `=` or `@` would be another kind of item.
    var httpie: String {
        var lines = ["http --ignore-stdin \(quotedMethod) " + Self.quote(url)]
        for field in headers {
            let isSeparator = field.value.hasPrefix("=") || field.value.hasPrefix("@")
            let value = (isSeparator ? "\\" : "") + field.value
            lines.append(
                Self.quote(field.name + (field.value.isEmpty ? ";" : ":" + value)))
        }
        if body != nil, !hasContentType { lines.append("'Content-Type:'") }
        switch body {
        case nil: break
        case .text(let text): lines.append("--raw=" + Self.quote(text))
        case .binary(let base64):
            lines[0] =
                "printf %s \(base64) | base64 -d | http \(quotedMethod) " + Self.quote(url)
        }
        return lines.joined(separator: " \\\n  ")
    }

    // MARK: Programs

    /// A JSON string is a string in JavaScript and Python too.
    private static func literal(_ text: String) -> String { JSON.string(text).description }

    /// Header fields in JavaScript have one character per byte.
    private static func byteLiteral(_ text: String) -> String {
        literal(String(String.UnicodeScalarView(text.utf8.map { UnicodeScalar($0) })))
    }

    /// Without a content type, a text would be sent with one of fetch's own.
    var fetch: String {
        var lines = ["  method: \(Self.literal(method)),"]
        if !headers.isEmpty {
            lines.append("  headers: [")
            lines += headers.map {
                "    [\(Self.literal($0.name)), \(Self.byteLiteral($0.value))],"
            }
            lines.append("  ],")
        }
        switch body {
        case nil: break
        case .text(let text) where hasContentType:
            lines.append("  body: \(Self.literal(text)),")
        case .text(let text):
            lines.append("  body: new TextEncoder().encode(\(Self.literal(text))),")
        case .binary(let base64):
            lines.append("  body: Uint8Array.from(atob(\"\(base64)\"), (c) => c.charCodeAt(0)),")
        }
        lines.append("  redirect: \"manual\",")
        return "const response = await fetch(\(Self.literal(url)), {\n"
            + lines.joined(separator: "\n") + "\n});\n"
            + "console.log(response.status, await response.text());"
    }

    /// Fields of the same name are joined: a dictionary has one of each. requests encodes texts of
    /// fields as Latin-1.
    var pythonRequests: String {
        var fields: [Headers.Field] = []
        for field in headers {
            let index = fields.firstIndex { $0.name.lowercased() == field.name.lowercased() }
            guard let index else {
                fields.append(field)
                continue
            }
            let separator = field.name.lowercased() == "cookie" ? "; " : ", "
            fields[index].value += separator + field.value
        }
        var lines = ["    \(Self.literal(method)),", "    \(Self.literal(url)),"]
        if !fields.isEmpty {
            lines.append("    headers={")
            lines += fields.map { field in
                let isASCII = field.value.utf8.allSatisfy { $0 < 128 }
                return "        \(Self.literal(field.name)): \(Self.literal(field.value))"
                    + (isASCII ? "," : ".encode(),")
            }
            lines.append("    },")
        }
        var imports = "import requests\n"
        switch body {
        case nil: break
        case .text(let text): lines.append("    data=\(Self.literal(text)).encode(),")
        case .binary(let base64):
            imports = "import base64\n\n" + imports
            lines.append("    data=base64.b64decode(\"\(base64)\"),")
        }
        lines.append("    allow_redirects=False,")
        return imports + "\nresponse = requests.request(\n" + lines.joined(separator: "\n")
            + "\n)\nprint(response.status_code, response.text)"
    }

    private static func swiftLiteral(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Foundation would encode a URL with an invalid character, and its percent signs, once more.
    private var validURL: String {
        let origin = URLParts(url).origin
        let allowed = Set("-._~:/?#@!$&'()*+,;=%".unicodeScalars)
        return url.unicodeScalars.dropFirst(origin.unicodeScalars.count).reduce(into: origin) {
            let isValid =
                $1.isASCII && ($1.properties.isAlphabetic || $1.properties.numericType != nil)
                || allowed.contains($1)
            $0 += isValid ? String($1) : PercentEncoding.encode(String($1))
        }
    }

    var urlSession: String {
        var lines = [
            "var request = URLRequest(url: URL(string: \(Self.swiftLiteral(validURL)))!)",
            "request.httpMethod = \(Self.swiftLiteral(method))",
        ]
        lines += headers.map {
            "request.addValue(\(Self.swiftLiteral($0.value)), "
                + "forHTTPHeaderField: \(Self.swiftLiteral($0.name)))"
        }
        switch body {
        case nil: break
        case .text(let text):
            lines.append("request.httpBody = Data(\(Self.swiftLiteral(text)).utf8)")
        case .binary(let base64):
            lines.append("request.httpBody = Data(base64Encoded: \"\(base64)\")!")
        }
        let imports =
            ["import Foundation", "#if canImport(FoundationNetworking)"]
            + ["import FoundationNetworking", "#endif", ""]
        let end = [
            "let (data, response) = try await URLSession.shared.data(for: request)",
            "let status = (response as? HTTPURLResponse)?.statusCode ?? 0",
            "print(status, String(decoding: data, as: UTF8.self))",
        ]
        return (imports + lines + end).joined(separator: "\n")
    }
}
