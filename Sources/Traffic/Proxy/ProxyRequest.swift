package import Web

/// A real app's request, to be forwarded to a backend.
package struct ProxyRequest: Sendable {
    package let request: Request
    /// The request target below the app's proxy URL, as sent: empty, or beginning with `/` or `?`.
    package let relativeTarget: String
    /// The app's proxy URL as the client spells it, without a trailing slash.
    package let clientBaseURL: String

    package init(_ request: Request, relativeTarget: String, clientBaseURL: String) {
        self.request = request
        self.relativeTarget = relativeTarget
        self.clientBaseURL = clientBaseURL
    }

    /// `relativeTarget` without the query.
    package var path: String { String(relativeTarget.prefix { $0 != "?" }) }

    package var query: [(name: String, value: String)] {
        guard let questionMark = relativeTarget.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return []
        }
        return Form.parseLeniently(
            relativeTarget[relativeTarget.utf8.index(after: questionMark)...])
    }

    /// The client's name: the product of its `User-Agent`.
    package var clientName: String {
        let product = (request.headers["User-Agent"] ?? "").utf8.prefix {
            $0.isLetter || $0.isDigit || "-._".utf8.contains($0)
        }
        return String(decoding: product.prefix(32), as: UTF8.self)
    }

    /// Rejects paths that could leave the backend's base path, in any spelling a server might
    /// interpret that way.
    package func validatePath() throws(Problem) {
        let isPlain = relativeTarget.utf8.allSatisfy { ![0x23, 0x25, 0x2E, 0x5C].contains($0) }
        if isPlain { return }
        let parts = path.lowercased().replacing("%2f", with: "/").replacing("%5c", with: "/")
            .replacing("\\", with: "/").replacing("%2e", with: ".").replacing("%3b", with: ";")
            .split(separator: "/")  // Some servers ignore the part of a segment after a semicolon.
            .map { $0.prefix { $0 != ";" } }
        guard !parts.contains("."), !parts.contains(".."), !path.contains("#") else {
            throw Problem(
                status: 400, code: "malformed-target", title: "Malformed URL",
                detail: "Invalid path: it contains a dot segment or a fragment.")
        }
    }
}
