package import FoundationEssentials
package import Web

/// A rule of a workspace: which requests it matches, and whether it pauses or answers them.
///
/// Rules are applied in their order: of several of one kind that match, the first applies.
package struct TrafficRule: Sendable, Equatable {
    /// `rul_…`
    package var id: String
    package var workspace: String
    /// Its position in the order of the workspace's rules; unique, with gaps.
    package var position: Int64
    package var draft: Draft
    package var createdAt: Date

    package var kind: Kind { draft.kind }

    /// What it does with a matching exchange; the raw value is its API name.
    package enum Kind: String, Sendable, CaseIterable {
        /// Pauses the request before it is sent.
        case pauseRequest
        /// Pauses the response before the app receives it.
        case pauseResponse
        /// Responds instead of the backend; the request is not sent.
        case respond
    }

    /// The definition of a rule.
    package struct Draft: Sendable, Equatable {
        package var kind: Kind
        package var match: Match
        package var isOn: Bool
        /// Seconds after which a paused exchange continues unchanged.
        package var timeout: Double
        /// The response of `respond`; nil for the other kinds.
        package var response: MappedResponse?

        package init(
            _ kind: Kind, _ match: Match = Match(), isOn: Bool = true,
            timeout: Double = Self.defaultTimeout, response: MappedResponse? = nil
        ) {
            self.kind = kind
            self.match = match
            self.isOn = isOn
            self.timeout = timeout
            self.response = response
        }

        package static let defaultTimeout = 30.0
        package static let maxTimeout = 300.0
    }

    /// The requests a rule matches: those that meet every condition that is set.
    package struct Match: Sendable, Equatable {
        package var method: String?
        /// With or without a port; `*` stands for any characters.
        package var host: String?
        /// The full path, or the one below the backend's base URL; `*` stands for any characters.
        /// With `?` it is compared with path and query.
        package var path: String?
        package var app: String?
        package var device: String?
        package var call: String?

        package init(
            method: String? = nil, host: String? = nil, path: String? = nil, app: String? = nil,
            device: String? = nil, call: String? = nil
        ) {
            self.method = method
            self.host = host
            self.path = path
            self.app = app
            self.device = device
            self.call = call
        }

        func matches(_ request: OutboundRequest, _ context: ExchangeContext) -> Bool {
            guard app.map({ $0 == context.app }) ?? true,
                device.map({ $0 == context.device }) ?? true,
                call.map({ $0 == context.call }) ?? true,
                method.map({ $0 == request.method.rawValue }) ?? true
            else { return false }
            let url = URLParts(request.url)
            return (host.map { Self.matches($0, host: url) } ?? true)
                && (path.map { Self.matches($0, path: url, below: context.baseURL) } ?? true)
        }

        private static func matches(_ pattern: String, host url: URLParts) -> Bool {
            let pattern = pattern.lowercased()
            let port = url.port.map { ":\($0)" } ?? ""
            return Wildcard.matches(pattern, url.host)
                || Wildcard.matches(pattern, url.host + port)
        }

        private static func matches(_ pattern: String, path url: URLParts, below base: String)
            -> Bool
        {
            var candidates = [url.requestTarget]
            if let suffix = url.suffix(below: base.withoutTrailingSlashes) {
                candidates.append(suffix.hasPrefix("/") ? String(suffix) : "/" + suffix)
            }
            return candidates.contains { candidate in
                Wildcard.matches(
                    pattern,
                    pattern.contains("?") ? candidate : String(candidate.prefix { $0 != "?" }))
            }
        }
    }
}

/// Compares a text with a pattern in which `*` stands for any characters, in linear time for each
/// of them.
enum Wildcard {
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var (position, index) = (0, 0)
        /// After the last `*`, and where the text it stands for would end next.
        var retry: (pattern: Int, text: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                position += 1
                retry = (position, index)
            } else if position < pattern.count, pattern[position] == text[index] {
                position += 1
                index += 1
            } else if let last = retry {
                retry = (last.pattern, last.text + 1)
                (position, index) = (last.pattern, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension TrafficRule.Draft {
    private static let maxPatternBytes = 1_024

    /// Validation errors by field name; apps, devices and calls are validated elsewhere.
    package var fieldErrors: [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        func addError(_ name: String, _ detail: String, if isWrong: Bool) {
            if isWrong { errors.add("/" + name, detail) }
        }
        addError(
            "method", "must be an uppercase word, such as POST",
            if: match.method.map { !Method(rawValue: $0).canBeSent } ?? false)
        addError(
            "host", "must be a host name, such as api.example.com or *.example.com",
            if: match.host.map { host in
                host.utf8.count > 255
                    || !host.utf8.allSatisfy {
                        $0.isLetter || $0.isDigit || "-._*:[]".utf8.contains($0)
                    }
            } ?? false)
        addError(
            "path", "must begin with / or *, without spaces",
            if: match.path.map { path in
                !(path.hasPrefix("/") || path.hasPrefix("*")) || path.utf8.contains { $0 <= 0x20 }
                    || path.utf8.count > Self.maxPatternBytes
            } ?? false)
        addError(
            "timeout", "must be 1 to \(Int(Self.maxTimeout)) s",
            if: !(1...Self.maxTimeout).contains(timeout))
        addError("response", "is missing", if: kind == .respond && response == nil)
        addError(
            "response", "does not apply to \(kind.rawValue)",
            if: kind != .respond && response != nil)
        return errors + (response?.fieldErrors ?? [])
    }
}
