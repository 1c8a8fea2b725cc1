import FoundationEssentials
import Web

/// A request's JSON object, read field by field; members nobody asks for are
/// passed over, as the real server does.
struct MysticaBody: Sendable {
    private let json: JSON

    /// 415 unless it says it is JSON, 400 unless it is an object in UTF-8.
    init(_ request: Request) throws(MysticaFailure) {
        let type = request.headers["Content-Type"] ?? ""
        let essence = type.prefix { $0 != ";" }.lowercased()
            .trimming(" \t")
        guard essence == "application/json" else {
            throw MysticaFailure(
                415, "UNSUPPORTED_MEDIA_TYPE",
                "Send the body as Content-Type: application/json")
        }
        guard let json = try? JSONReader.read(request.body) else {
            throw MysticaFailure(
                400, "INVALID_JSON", "The request body is not valid JSON")
        }
        guard case .object = json else {
            throw MysticaFailure(
                400, "INVALID_JSON", "The request body must be a JSON object")
        }
        self.json = json
    }

    /// The text of `name`, nil if it is missing, null or empty.
    ///
    /// 400 with the field's name if it is no string, has more than `limit`
    /// bytes or holds a NUL; what it held is never repeated.
    func text(
        _ name: String, limit: Int
    ) throws(MysticaFailure) -> String? {
        guard let value = json[name], value != .null else { return nil }
        guard let text = value.string else {
            throw .field(name, "Expected string", code: "invalid_type")
        }
        guard text.utf8.count <= limit else {
            throw .field(
                name, "Must have at most \(limit) bytes", code: "too_big")
        }
        guard !text.utf8.contains(0) else {
            throw .field(
                name, "Must not hold a NUL character", code: "invalid_string")
        }
        return text.isEmpty ? nil : text
    }

    /// `crypt(3)` sees no more of a password.
    static let passwordLimit = 511
    /// Longer ones than addresses may be, for white space around them.
    static let emailLimit = 320
    /// Ours are shorter; so are those of the real server.
    static let tokenLimit = 4_096
}

extension StringProtocol {
    /// Without these ASCII characters at both ends.
    fileprivate func trimming(_ characters: String) -> SubSequence {
        var rest = self[...]
        while let first = rest.first, characters.contains(first) {
            rest = rest.dropFirst()
        }
        while let last = rest.last, characters.contains(last) {
            rest = rest.dropLast()
        }
        return rest
    }
}
