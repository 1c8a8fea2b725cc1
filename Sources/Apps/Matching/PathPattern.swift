import Web

/// A path with `{variables}`, compared by segment regardless of percent-encoding.
struct PathPattern: Sendable {
    private let literal: String?
    private let segments: [TextTemplate]

    init(_ path: String) {
        literal = path.utf8.contains(UInt8(ascii: "{")) ? nil : path
        segments = path.split(separator: "/").map { TextTemplate(String($0)) }
    }

    /// Percent-decoded; a segment that cannot be decoded is unchanged.
    static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { segment in
            guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
            return PercentEncoding.decodedText(segment) ?? String(segment)
        }
    }

    func matches(_ path: String, _ requestSegments: [String]) -> Bool {
        if let plain = literal, plain == path { return true }
        guard requestSegments.count == segments.count else { return false }
        return zip(segments, requestSegments).allSatisfy { $0.values(in: $1) != nil }
    }

    func variables(in requestSegments: [String]) -> [String: JSON] {
        guard literal == nil else { return [:] }
        return zip(segments, requestSegments).reduce(into: [:]) { variables, pair in
            for (name, value) in pair.0.values(in: pair.1) ?? [:] {
                variables[name] = .string(value)
            }
        }
    }
}

extension TextTemplate {
    /// The values of the variables in `text`; nil if it does not match.
    ///
    /// Each variable takes the shortest match, and the last one the remainder.
    func values(in text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var remaining = Substring(text)
        var pendingName: String?
        for part in parts {
            switch part {
            case .variable(let name): pendingName = name
            case .plain(let plain):
                if let name = pendingName {
                    guard let range = remaining.firstRange(of: plain) else { return nil }
                    values[name] = String(remaining[..<range.lowerBound])
                    remaining = remaining[range.upperBound...]
                    pendingName = nil
                } else {
                    guard remaining.hasPrefix(plain) else { return nil }
                    remaining = remaining.dropFirst(plain.count)
                }
            }
        }
        if let name = pendingName {
            values[name] = String(remaining)
        } else if !remaining.isEmpty {
            return nil
        }
        return values
    }
}
