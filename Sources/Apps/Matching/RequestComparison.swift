package import Web

/// How well a request matches a call, and the values of the call's variables.
///
/// Literals of the call (`grant_type=password`) distinguish calls with the same path; variables
/// count less.
struct RequestComparison {
    private(set) var score = 0
    /// A literal of the call differs in the request.
    private(set) var hasConflict = false
    private(set) var variables: [String: JSON]

    mutating func compare(_ template: RequestTemplate, with request: ObservedRequest) {
        compare(template.query, with: request.query)
        switch (template.body, request.body) {
        case (.json(let expected), .json(let actual)):
            compare(expected, with: actual, optional: template.optionalMembers)
        case (.form(let expected), .form(let actual)): compare(expected, with: actual)
        case (.none, .none): break
        default: score -= 1
        }
        if let name = template.bearerName, let token = request.bearer {
            variables[name] = .string(token)
        }
    }

    private mutating func compare(
        _ expected: [Form.Item], with actual: [(name: String, value: String)]
    ) {
        for pair in expected {
            let value = actual.first { $0.name == pair.name }?.value
            compare(pair.value, with: value.map(JSON.string))
        }
    }

    private mutating func compare(_ expected: JSON, with actual: JSON?, optional: [String] = []) {
        switch expected {
        case .string(let text): compare(text, with: actual)
        case .object(let members):
            for member in members {
                let value = actual?[member.name]
                if value == nil, optional.contains(member.name) { continue }
                compare(member.value, with: value)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { compare(element, with: actual?[index]) }
        case .null, .bool, .int, .double: break
        }
    }

    private mutating func compare(_ expected: String, with actual: JSON?) {
        guard expected.utf8.contains(UInt8(ascii: "{")) else {
            if actual?.string == expected { score += 4 } else { hasConflict = true }
            return
        }
        guard let actual, actual != .null else {
            score -= 1
            return
        }
        let template = TextTemplate(expected)
        if let name = template.soleVariable {
            variables[name] = actual
            score += 1
        } else if let text = actual.scalarText, let values = template.values(in: text) {
            for (name, value) in values { variables[name] = .string(value) }
            score += 1
        } else {
            score -= 1
        }
    }
}

/// A request received from a client, reduced to the parts that calls describe.
package struct ObservedRequest: Sendable {
    package var method: Method
    /// Below the backend's base, still percent-encoded, without the query.
    package var path: String
    package var query: [(name: String, value: String)]
    package var body: Body = .none
    /// The token of `Authorization: Bearer`.
    package var bearer: String?

    /// The body as sent, parsed by its media type.
    package enum Body: Sendable {
        case none
        case json(JSON)
        case form([(name: String, value: String)])
    }
}

extension ObservedRequest {
    /// A request below a backend's base; an incomplete body is ignored.
    package init(
        _ request: OutboundRequest, path: String, query: [(name: String, value: String)],
        isComplete: Bool = true
    ) {
        self.init(
            method: request.method, path: path, query: query,
            body: isComplete ? Self.body(of: request) : .none, bearer: request.headers.bearerToken)
    }

    private static func body(of request: OutboundRequest) -> Body {
        guard !request.body.isEmpty else { return .none }
        if request.headers.isForm {
            return .form(Form.parseLeniently(Substring(decoding: request.body, as: UTF8.self)))
        }
        return (try? JSONReader.read(request.body)).map(Body.json) ?? .none
    }
}
