import Backend
import Web

/// A request's JSON object, read field by field as the auth server does. Unknown members are
/// ignored, null counts as absent.
struct GoTrueBody: Sendable {
    private let json: JSON
    /// The type's name in the server's Go source, for its error messages.
    private let goTypeName: String

    /// Limited because values from the body are stored, and later read again, at a greater depth.
    static let maxDepth = 32

    /// Throws a 400 unless the body is a JSON object or null. The `Content-Type` is ignored.
    init(_ request: Request, as type: String) throws(GoTrueFailure) {
        self.goTypeName = type
        do { json = try JSONReader.read(request.body, maxDepth: Self.maxDepth) } catch {
            throw .badJSON(request.body.isEmpty ? "unexpected end of JSON input" : error.detail)
        }
        switch json {
        case .object, .null: CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
        default:
            throw .badJSON(
                "json: cannot unmarshal \(Self.jsonTypeName(json)) into Go value of type api.\(type)"
            )
        }
    }

    /// The text of `name`. Empty if it is absent. Throws a 400 if it is not a text.
    func text(_ name: String) throws(GoTrueFailure) -> String {
        guard let value = json[name], value != .null else { return "" }
        guard let text = value.string else { throw typeMismatch(name, value, "string") }
        guard !text.utf8.contains(0) else {
            throw .invalid("\(name) must not hold a NUL character")
        }
        return text
    }

    /// The members of the object under `name`. Nil if it is absent.
    func object(_ name: String) throws(GoTrueFailure) -> [JSON.Member]? {
        guard let value = json[name], value != .null else { return nil }
        guard case .object(let members) = value else {
            throw typeMismatch(name, value, "map[string]interface {}")
        }
        return members
    }

    func has(_ name: String) -> Bool { json[name] ?? .null != .null }

    /// Contains nothing of the value itself.
    private func typeMismatch(_ name: String, _ value: JSON, _ type: String) -> GoTrueFailure {
        .badJSON(
            "json: cannot unmarshal \(Self.jsonTypeName(value)) into Go struct field "
                + "\(goTypeName).\(name) of type \(type)")
    }

    private static func jsonTypeName(_ json: JSON) -> String {
        switch json {
        case .null: "null"
        case .bool: "bool"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// Parses e-mail addresses as the auth server does, into lower case.
enum GoTrueEmailAddress {
    /// Throws the server's 400 if the address is invalid.
    static func parse(_ raw: String) throws(GoTrueFailure) -> String {
        guard !raw.isEmpty else { throw .invalid("An email address is required") }
        guard raw.utf8.count <= 255 else { throw .invalid("An email address is too long") }
        guard isValid(raw) else {
            throw .invalid("Unable to validate email address: invalid format")
        }
        return raw.lowercased()
    }

    /// `atext` and dots, `@`, and domain labels: one is enough, each of 1 to 63 letters, digits and
    /// inner hyphens (HTML, 4.10.5.1.5).
    static func isValid(_ raw: String) -> Bool {
        let parts = raw.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty,
            parts[0].allSatisfy({ isAlphanumeric($0) || allowedSymbols.contains($0) })
        else { return false }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            let hyphen = UInt8(ascii: "-")
            return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static let allowedSymbols = Set(".!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
