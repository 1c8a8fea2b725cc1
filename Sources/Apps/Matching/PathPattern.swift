import Web

/// A path with `{variables}`, compared segment by segment, whatever was
/// percent-encoded on the way.
struct PathPattern: Sendable {
    private let literal: String?
    private let segments: [TextTemplate]

    init(_ path: String) {
        literal = path.utf8.contains(UInt8(ascii: "{")) ? nil : path
        segments = path.split(separator: "/").map { TextTemplate(String($0)) }
    }

    /// Decoded; one that cannot be stays as it is.
    static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { segment in
            guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
            return PercentEncoding.decodedText(segment) ?? String(segment)
        }
    }

    func matches(_ path: String, _ found: [String]) -> Bool {
        if let plain = literal, plain == path { return true }
        guard found.count == segments.count else { return false }
        return zip(segments, found).allSatisfy { $0.values(in: $1) != nil }
    }

    func variables(in found: [String]) -> [String: JSON] {
        guard literal == nil else { return [:] }
        return zip(segments, found).reduce(into: [:]) { all, pair in
            for (name, value) in pair.0.values(in: pair.1) ?? [:] { all[name] = .string(value) }
        }
    }
}

extension TextTemplate {
    /// What stands for its variables in `text`; nil if it does not fit. Each
    /// variable takes as little as it can, and the last one the rest.
    func values(in text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = Substring(text)
        var open: String?
        for part in parts {
            switch part {
            case .variable(let name): open = name
            case .plain(let plain):
                if let name = open {
                    guard let range = rest.firstRange(of: plain) else { return nil }
                    values[name] = String(rest[..<range.lowerBound])
                    rest = rest[range.upperBound...]
                    open = nil
                } else {
                    guard rest.hasPrefix(plain) else { return nil }
                    rest = rest.dropFirst(plain.count)
                }
            }
        }
        if let name = open { values[name] = String(rest) } else if !rest.isEmpty { return nil }
        return values
    }
}
