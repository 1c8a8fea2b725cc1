import Web

/// A form field that is made from a property of a request's schema.
struct MadeField {
    /// The members of the body that lead to it.
    let path: [String]
    let name: String
    private let schema: JSON

    /// The last member of the body's path.
    var key: String { path.last ?? name }

    /// Nil for an object or a list.
    init?(path: [String], _ schema: JSON) {
        guard let key = path.last, schema["type"] != "object", schema["type"] != "array",
            schema["properties"] == nil
        else { return nil }
        self.path = path
        self.schema = schema
        let valid = key.utf8.map { byte in
            byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") ? byte : UInt8(ascii: "_")
        }
        let text = String(decoding: valid, as: UTF8.self)
        // Names of values that the app stores or holds, and of a call's own actions.
        let isTaken = ["accessToken", "refreshToken", "user", "submit"].contains(text)
        name = isTaken || text.utf8.first?.isLetter != true ? "field_" + text : text
    }

    /// The fields of a body: those that are required, and those that say who signs in.
    static func fields(of body: JSON?, in document: OpenAPIDocument, isSignIn: Bool) -> [MadeField]
    {
        func collect(_ schema: JSON?, _ path: [String]) -> [MadeField] {
            let required = schema?["required"]?.elements.compactMap(\.string)
            return document.properties(of: schema).flatMap { property -> [MadeField] in
                let path = path + [property.name]
                guard let field = MadeField(path: path, property.value) else {
                    return path.count < 3 ? collect(property.value, path) : []
                }
                let isWanted =
                    required.map { $0.contains(property.name) } ?? !isSignIn
                return isWanted || field.isPassword || field.isUser || field.isCode
                    || field.isConstant ? [field] : []
            }
        }
        var names: Set<String> = []
        return collect(body, []).filter { names.insert($0.name).inserted }
    }

    // MARK: Kinds

    private var normalized: String { SignInOperations.normalized(key) }

    var isPassword: Bool {
        normalized.contains("password") || normalized.contains("passwd")
            || schema["format"] == "password"
    }

    var isUser: Bool {
        normalized == "user"
            || ["email", "username", "login", "phone", "mobile", "identifier"].contains {
                normalized.contains($0)
            }
    }

    var isCode: Bool { ["code", "otp", "pin"].contains { normalized.hasSuffix($0) } }

    private var constant: String? {
        let values = schema["enum"]?.elements ?? []
        if let value = schema["const"] { return value.scalarText }
        if values.count == 1 { return values[0].scalarText }
        // OAuth 2.0's password grant (RFC 6749, 4.3.2) and refresh.
        return normalized == "granttype"
            ? schema["pattern"]?.string?.filter { $0.isLetter || $0 == "_" } ?? "password" : nil
    }

    var isConstant: Bool { constant != nil }

    var isNumber: Bool { schema["type"] == "integer" || schema["type"] == "number" }

    /// The body's value as JSON5.
    var value: String { AppDraft.quoted(constant ?? "{\(name)}") }

    /// `access_code` and `accessCode` become `Access code`.
    private var label: String {
        if let title = schema["title"]?.string, !title.isEmpty, title.count <= 40 {
            return title.prefix(1).uppercased() + title.dropFirst().lowercased()
        }
        let words = key.reduce(into: "") { text, letter in
            if letter == "_" || letter == "-" || letter == "." {
                text += " "
            } else {
                if letter.isUppercase, text.last?.isLowercase == true { text += " " }
                text += letter.lowercased()
            }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private var type: String {
        if isPassword { return "password" }
        if schema["type"] == "boolean" { return "toggle" }
        if (schema["enum"]?.elements.count ?? 0) > 1 { return "choice" }
        if schema["format"] == "email" || normalized.hasSuffix("email") { return "email" }
        if normalized.contains("phone") || normalized.contains("mobile") { return "phone" }
        return isCode ? "code" : "text"
    }

    // MARK: Text

    /// The field's line in the manifest. `password` is the form's first password field, which
    /// another one repeats.
    func line(password: MadeField?, isNew: Bool) -> String {
        let type = type
        var parts = ["type: '\(type)'", "label: \(AppDraft.quoted(label))"]
        if type == "choice" {
            let options = (schema["enum"]?.elements ?? []).compactMap(\.scalarText).map {
                "{ value: \(AppDraft.quoted($0)), label: \(AppDraft.quoted($0)) }"
            }
            parts.append("options: [\(options.joined(separator: ", "))]")
        }
        if isPassword { parts.append("purpose: '\(isNew ? "new" : "current")-password'") }
        let rules = type == "toggle" ? [] : rules(type, password, isNew)
        if !rules.isEmpty { parts.append("rules: [\(rules.joined(separator: ", "))]") }
        return "\(name): { \(parts.joined(separator: ", ")) },"
    }

    private func rules(_ type: String, _ password: MadeField?, _ isNew: Bool) -> [String] {
        func message(_ text: String) -> String { "message: \(AppDraft.quoted(text))" }
        var rules = ["{ required: true, \(message("\(label) is required")) }"]
        if let password, password.name != name, isPassword {
            rules.append("{ same: '\(password.name)', \(message("The passwords differ")) }")
            return rules
        }
        if type == "email" {
            rules.append(
                "{ pattern: '^[^\\\\s@]+@[^\\\\s@]+$', \(message("Enter a valid email address")) }")
        }
        // An existing password may be older than today's rules.
        guard type != "choice", isNew || !isPassword else { return rules }
        if let count = schema["minLength"]?.int, (1...10_000).contains(count) {
            rules.append("{ min: \(count), \(message("At least \(count) characters")) }")
        }
        if let count = schema["maxLength"]?.int, (1...10_000).contains(count) {
            rules.append("{ max: \(count), \(message("At most \(count) characters")) }")
        }
        if let pattern = schema["pattern"]?.string, (try? Pattern(pattern)) != nil {
            rules.append(
                "{ pattern: \(AppDraft.quoted(pattern)), \(message("\(label) is invalid")) }")
        }
        return rules
    }

    /// The body with the fields' values, nested by their paths, as JSON5.
    static func body(_ fields: [MadeField], _ value: (MadeField) -> String) -> String {
        func object(_ fields: [MadeField], _ depth: Int) -> String {
            var keys: [String] = []
            for field in fields where !keys.contains(field.path[depth]) {
                keys.append(field.path[depth])
            }
            let members = keys.map { key -> String in
                let inside = fields.filter { $0.path[depth] == key }
                let text =
                    inside[0].path.count == depth + 1
                    ? value(inside[0]) : object(inside, depth + 1)
                return "\(AppDraft.quoted(key)): \(text)"
            }
            return "{ \(members.joined(separator: ", ")) }"
        }
        return object(fields, 0)
    }
}
