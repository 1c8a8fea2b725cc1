import Web

/// The operations of an OpenAPI 3 or Swagger 2 document, with their references resolved.
struct OpenAPIDocument {
    let title: String
    /// The first server's URL, which may be relative; nil if there is none.
    let serverURL: String?
    private(set) var operations: [Operation] = []
    private let root: JSON

    /// An operation without path parameters.
    struct Operation {
        var method: String
        var path: String
        /// `operationId` or a text made of the method and the path.
        var id: String
        /// The schema of the request's body; nil if it has none.
        var body: JSON?
        var isForm: Bool
        /// The schema of the first success response; nil if it is unknown.
        var response: JSON?
        var successStatuses: [Int]
        var failureStatuses: Set<Int>
        /// Whether it requires a token.
        var isSecured: Bool
        /// The header of an API key that it requires.
        var keyHeader: String?
    }

    /// Limit of the operations that are read.
    private static let maxOperations = 2_000

    /// Throws a problem of `/openapi` for a text that is no OpenAPI document in JSON.
    init(_ text: String) throws(Problem) {
        func problem(_ detail: String) -> Problem {
            Problem(errors: [.init(pointer: "/openapi", detail: detail)], title: "Invalid app")
        }
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard start.first == "{" else {
            throw problem(
                start.isEmpty
                    ? "is empty"
                    : "is not JSON. Convert a YAML document first, for example with "
                        + "yq -o json openapi.yaml")
        }
        let root: JSON
        do throws(JSONReader.Failure) { root = try JSON(parsing: String(start)) } catch {
            throw problem("is not valid JSON: \(error)")
        }
        guard root["openapi"]?.string != nil || root["swagger"]?.string != nil,
            case .object? = root["paths"]
        else { throw problem("has no openapi version or no paths") }
        self.root = root
        title = root["info"]?["title"]?.string ?? "OpenAPI document"
        serverURL = root["servers"]?[0]?["url"]?.string ?? root["basePath"]?.string
        operations = readOperations()
    }

    private func readOperations() -> [Operation] {
        var operations: [Operation] = []
        for path in root["paths"]?.members ?? [] where !path.name.contains("{") {
            for member in resolve(path.value).members
            where ["get", "post", "put", "patch", "delete"].contains(member.name) {
                guard operations.count < Self.maxOperations else { return operations }
                operations.append(operation(member.name, path.name, member.value))
            }
        }
        return operations
    }

    private func operation(_ method: String, _ path: String, _ json: JSON) -> Operation {
        var body: JSON?
        var isForm = false
        let content = json["requestBody"].map(resolve)?["content"]?.members ?? []
        let media =
            content.first { $0.name.hasPrefix("application/json") }
            ?? content.first { $0.name.hasSuffix("json") }
            ?? content.first { $0.name == "application/x-www-form-urlencoded" } ?? content.first
        if let media {
            body = media.value["schema"].map { resolve($0) }
            isForm = media.name == "application/x-www-form-urlencoded"
        }
        // Swagger 2.
        let parameters = (json["parameters"]?.elements ?? []).map { resolve($0) }
        if let parameter = parameters.first(where: { $0["in"]?.string == "body" }) {
            body = parameter["schema"].map { resolve($0) }
        }
        let formFields = parameters.filter { $0["in"]?.string == "formData" }
        if !formFields.isEmpty {
            isForm = true
            body = [
                "type": "object",
                "properties": .object(
                    formFields.compactMap { field in
                        field["name"]?.string.map { .init($0, field) }
                    }),
                "required": .array(
                    formFields.filter { $0["required"] == true }.compactMap { $0["name"] }),
            ]
        }
        let responses = json["responses"]?.members ?? []
        let successes = responses.filter { $0.name.hasPrefix("2") }
        let response = successes.first.map { resolve($0.value) }
        let security = (json["security"] ?? root["security"])?.elements ?? []
        let schemes = security.flatMap(\.members).compactMap { scheme(named: $0.name) }
        let isKey = { (scheme: JSON) in scheme["type"] == "apiKey" && scheme["in"] == "header" }
        let keyHeaders = schemes.filter(isKey).compactMap { $0["name"]?.string }
        return Operation(
            method: method.uppercased(), path: path,
            id: json["operationId"]?.string ?? "\(method) \(path)", body: body, isForm: isForm,
            response: (response?["content"]?.members.first?.value["schema"] ?? response?["schema"])
                .map { resolve($0) },
            successStatuses: successes.compactMap { Int($0.name) },
            failureStatuses: Set(responses.compactMap { Int($0.name) }.filter { $0 >= 400 }),
            isSecured: schemes.contains { scheme in
                !isKey(scheme) || scheme["name"]?.string?.lowercased() == "authorization"
            }, keyHeader: keyHeaders.first { $0.lowercased() != "authorization" })
    }

    private func scheme(named name: String) -> JSON? {
        (root["components"]?["securitySchemes"]?[name] ?? root["securityDefinitions"]?[name])
            .map { resolve($0) }
    }

    // MARK: Schemas

    /// The properties of an object's schema, those of `allOf` included.
    func properties(of schema: JSON?) -> [JSON.Member] { schema?["properties"]?.members ?? [] }

    /// A schema or another part with its references replaced, five levels deep, and `allOf` merged.
    private func resolve(_ json: JSON) -> JSON { resolve(json, 0) }

    private func resolve(_ json: JSON, _ depth: Int) -> JSON {
        var json = json
        var steps = 0
        while let reference = json["$ref"]?.string, reference.hasPrefix("#/"), steps < 10 {
            guard let target = root.value(at: String(reference.dropFirst())) else {
                return [:]
            }
            json = target
            steps += 1
        }
        guard depth < 5, case .object(var members) = json else { return json }
        if let part = (json["anyOf"] ?? json["oneOf"])?.elements.first(where: {
            $0["type"] != "null"
        }) {
            members += resolve(part, depth + 1).members.filter { member in
                !members.contains { $0.name == member.name }
            }
        }
        for part in json["allOf"]?.elements ?? [] {
            let part = resolve(part, depth + 1)
            for name in ["properties", "required"] {
                guard let added = part[name] else { continue }
                let index = members.firstIndex { $0.name == name }
                switch (index.map { members[$0].value }, added) {
                case (.object(let old)?, .object(let new)):
                    members[index ?? 0].value = .object(old + new)
                case (.array(let old)?, .array(let new)):
                    members[index ?? 0].value = .array(old + new)
                default: members.append(.init(name, added))
                }
            }
        }
        for (index, member) in members.enumerated() where member.name == "properties" {
            members[index].value = .object(
                member.value.members.map { .init($0.name, resolve($0.value, depth + 1)) })
        }
        return .object(members)
    }
}
