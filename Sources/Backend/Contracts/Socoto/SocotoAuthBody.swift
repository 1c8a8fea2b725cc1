import Web

/// A request's JSON object, read field by field as the auth server reads it:
/// unknown members are passed over, null is as good as absent.
struct SocotoAuthBody: Sendable {
    private let json: JSON
    /// What the server's own source calls it, for its error texts.
    private let goTypeName: String

    /// What is kept of a body stands deeper in what is read again.
    static let maxDepth = 32

    /// 400 unless it is a JSON object; the type it says it has is not asked.
    init(_ request: Request, as kind: String) throws(SocotoAuthFailure) {
        self.goTypeName = kind
        do { json = try JSONReader.read(request.body, maxDepth: Self.maxDepth) } catch {
            throw .badJSON(request.body.isEmpty ? "unexpected end of JSON input" : error.detail)
        }
        switch json {
        case .object, .null: CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
        default:
            throw .badJSON(
                "json: cannot unmarshal \(Self.jsonTypeName(json)) into Go value of type api.\(kind)"
            )
        }
    }

    /// The text of `name`, empty if there is none; 400 if it is no text.
    func text(_ name: String) throws(SocotoAuthFailure) -> String {
        guard let value = json[name], value != .null else { return "" }
        guard let text = value.string else { throw typeMismatch(name, value, "string") }
        guard !text.utf8.contains(0) else {
            throw .invalid("\(name) must not hold a NUL character")
        }
        return text
    }

    /// The members of the object under `name`, nil if there is none.
    func object(_ name: String) throws(SocotoAuthFailure) -> [JSON.Member]? {
        guard let value = json[name], value != .null else { return nil }
        guard case .object(let members) = value else {
            throw typeMismatch(name, value, "map[string]interface {}")
        }
        return members
    }

    func has(_ name: String) -> Bool { json[name] ?? .null != .null }

    /// What it held is never repeated.
    private func typeMismatch(_ name: String, _ value: JSON, _ type: String) -> SocotoAuthFailure {
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

extension SocotoAuthFailure {
    fileprivate static func badJSON(_ reason: String) -> SocotoAuthFailure {
        SocotoAuthFailure(400, "bad_json", "Could not parse request body as JSON: \(reason)")
    }
}
