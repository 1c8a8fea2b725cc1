import Core
import Web

extension Response {
    /// The message of a rejection in any contract's format; empty if it has none.
    var errorMessage: String {
        guard case .bytes(let bytes) = body else { return "" }
        guard let json = try? JSONReader.read(bytes) else {
            let isText = headers["Content-Type"]?.hasPrefix("text/plain")
            return isText == true
                ? String(decoding: bytes.prefix(200), as: UTF8.self).trimming(" \n") : ""
        }
        return Self.message(json) ?? ""
    }

    /// Members that may contain the message, most specific first.
    private static let messageMembers = ["message", "msg", "error_description", "detail", "error"]

    private static func message(_ json: JSON, depth: Int = 0) -> String? {
        guard depth < 8 else { return nil }
        switch json {
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let elements):
            let messages = elements.prefix(6).compactMap { element in
                message(element, depth: depth + 1).map { text in
                    field(element).map { "\($0): \(text)" } ?? text
                }
            }
            return messages.isEmpty ? nil : messages.joined(separator: "; ")
        case .object:
            if let inner = json["_embedded"]?["errors"], let text = message(inner, depth: depth + 1)
            {
                return text
            }
            if let details = json["details"], case .array = details,
                let text = message(details, depth: depth + 1)
            {
                return text
            }
            for name in messageMembers {
                if let value = json[name], let text = message(value, depth: depth + 1) {
                    return text
                }
            }
            return nil
        default: return nil
        }
    }

    /// The field that an element of an error list refers to.
    private static func field(_ json: JSON) -> String? {
        if let name = json["field"]?.string { return name }
        guard case .array(let path)? = json["loc"] else { return nil }
        return path.last?.string
    }
}
