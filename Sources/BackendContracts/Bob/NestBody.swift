import Backend
import Web

/// A request body as the NestJS server validates it: each field has a list of rules, all broken
/// rules are reported at once, and unknown fields are rejected by name.
struct NestBody: Sendable {
    private let members: [JSON.Member]

    /// Reads a JSON object or a form. Any other body counts as empty.
    init(_ request: Request) throws {
        switch request.mediaType {
        case "application/json" where !request.body.isEmpty:
            guard let json = try? JSONReader.read(request.body) else {
                throw BobFailure(400, .string(Self.syntaxError(in: request.body)), [.body])
            }
            switch json {
            case .object(let members):
                self.members = members
                CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
            case .array: members = []
            default: throw BobFailure(400, "Unexpected token in JSON", [.body])
            }
        case "application/x-www-form-urlencoded":
            members = try Form(request).items.map { JSON.Member($0.name, .string($0.value)) }
        default: members = []
        }
    }

    /// The text of a validated field. Empty if it is absent.
    subscript(name: String) -> String { value(name)?.string ?? "" }

    /// Throws a 400 that lists every broken rule.
    func check(_ fields: [NestField]) throws(BobFailure) {
        let fieldNames = fields.map(\.name)
        var errors = members.map(\.name).filter { !fieldNames.contains($0) }.map {
            "property \($0.prefix(200)) should not exist"
        }
        for field in fields {
            let value = value(field.name)
            if field.isOptional, value == nil { continue }
            errors += field.rules(self).compactMap { rule in rule.allows(value) ? nil : rule.message
            }
        }
        guard errors.isEmpty else { throw BobFailure(400, .array(errors.map(JSON.string))) }
    }

    /// Null counts as absent.
    private func value(_ name: String) -> JSON? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    /// V8's messages, without the parts that would repeat the body.
    private static func syntaxError(in body: [UInt8]) -> String {
        let last = body.last { !" \t\r\n".utf8.contains($0) }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            ? "Unexpected token in JSON" : "Unexpected end of JSON input"
    }
}
