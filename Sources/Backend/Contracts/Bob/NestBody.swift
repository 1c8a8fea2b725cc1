import Web

/// A body as the NestJS server reads it: what a field may be is a list of
/// rules, all broken ones are told at once, and what nobody asked for is
/// refused by name.
struct NestBody: Sendable {
    private let members: [JSON.Member]

    /// A JSON object or a form; a body of any other kind counts as none.
    init(_ request: Request) throws {
        switch request.mediaType {
        case "application/json" where !request.body.isEmpty:
            guard let json = try? JSONReader.read(request.body) else {
                throw BobFailure(400, Self.syntaxError(in: request.body))
            }
            switch json {
            case .object(let members):
                self.members = members
                CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
            case .array: members = []
            default: throw BobFailure(400, "Unexpected token in JSON")
            }
        case "application/x-www-form-urlencoded":
            members = try Form(request).items.map { JSON.Member($0.name, .string($0.value)) }
        default: members = []
        }
    }

    /// The text of a field that was checked; empty if it is not there.
    subscript(name: String) -> String { value(name)?.string ?? "" }

    /// Throws a 400 with every rule that is broken.
    func check(_ fields: [NestField]) throws(BobFailure) {
        let known = fields.map(\.name)
        var broken = members.map(\.name).filter { !known.contains($0) }.map {
            "property \($0.prefix(200)) should not exist"
        }
        for field in fields {
            let value = value(field.name)
            if field.isOptional, value == nil { continue }
            broken += field.rules(self).compactMap { rule in rule.allows(value) ? nil : rule.message
            }
        }
        guard broken.isEmpty else { throw .validationErrors(broken) }
    }

    /// Null is nothing.
    private func value(_ name: String) -> JSON? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    /// V8's words, without what they would repeat of the body.
    private static func syntaxError(in body: [UInt8]) -> String {
        let last = body.last { !" \t\r\n".utf8.contains($0) }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            ? "Unexpected token in JSON" : "Unexpected end of JSON input"
    }
}
