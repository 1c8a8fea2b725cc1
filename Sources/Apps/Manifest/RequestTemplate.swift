package import Web

/// A request with `{variables}` in it.
package struct RequestTemplate: Sendable, Equatable {
    package let method: Method
    /// Appended to the backend's base.
    package let path: String
    /// Replaces the backend's base: a URL, or a setting that holds a URL or a path below the
    /// backend's base.
    package let base: String?
    package let query: [Form.Item]
    package let headers: [Form.Item]
    package let body: Body
    /// Members of the JSON body that are omitted when they have no value.
    package let optionalMembers: [String]
    /// The captured value sent as `Authorization: Bearer`.
    package let bearerName: String?
    /// The names of its variables.
    package let variableNames: Set<String>

    init(_ node: ManifestNode) throws {
        try node.allowOnly([
            "method", "path", "base", "query", "headers", "json", "form", "bearer", "optional",
        ])
        method = try node.require("method").method()
        path = try node.require("path").callPath()
        base = try node["base"]?.base()
        query = try node["query"]?.pairs() ?? []
        headers = try node["headers"]?.headers() ?? []
        bearerName = try node["bearer"]?.reference(.captured)
        optionalMembers = try node["optional"]?.strings() ?? []
        switch (node["json"], node["form"]) {
        case (nil, nil): body = .none
        case (let json?, nil): body = .json(json.value)
        case (nil, let form?): body = .form(try form.pairs())
        case (_?, let form?): throw form.error("Both json and form", "Keep one of them.")
        }
        var texts = [path, base ?? ""] + (query + headers).map(\.value)
        switch body {
        case .none: break
        case .form(let pairs): texts += pairs.map(\.value)
        case .json(let json): texts += json.strings
        }
        variableNames = Set(texts.flatMap { TextTemplate($0).variableNames })
        for name in ["path", "base", "query", "headers", "json", "form"] {
            node[name]?.recordVariables(.requestVariable)
        }
        for name in optionalMembers {
            try node.check(
                node["json"]?.value[name] != nil, "The JSON body has no member \(name)",
                "List members that may be omitted if empty.")
        }
        try node.check(
            !method.isSafe || body == .none, "A \(method.rawValue) request has no body",
            "Send it with POST, or put the values in query.")
    }

    /// Whether the request sends the value `name`: as its bearer, or in its query, headers or body.
    package func carries(_ name: String) -> Bool {
        bearerName == name || variableNames.contains(name)
    }

    /// The request's body, with variables.
    package enum Body: Sendable, Equatable {
        case none
        /// JSON whose strings may contain variables; a string that is a single variable gets the
        /// variable's type.
        case json(JSON)
        /// `application/x-www-form-urlencoded`.
        case form([Form.Item])
    }
}

extension JSON {
    /// The strings in the value, at any depth.
    fileprivate var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.strings)
        case .object(let members): members.flatMap(\.value.strings)
        default: []
        }
    }
}

extension ManifestNode {
    fileprivate func method() throws -> Method {
        let allowed: [Method] = [.get, .post, .put, .patch, .delete, .head]
        let text = try choice(of: allowed.map(\.rawValue), "method")
        return allowed.first { $0.rawValue == text } ?? .get
    }

    func callPath() throws -> String {
        let text = try string()
        let segments = text.split(separator: "/")
        try check(
            text.hasPrefix("/") && !text.hasPrefix("//") && !segments.contains(".")
                && !segments.contains("..") && text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
                && !text.contains(where: { "?#\\".contains($0) }), "Invalid path '\(text)'",
            "Start with one slash, use no . or .. segment, percent-encode other characters and"
                + " write parameters in query.")
        return text
    }

    /// A base for this call: a URL, or a setting that holds one.
    fileprivate func base() throws -> String {
        let text = try string()
        try check(
            TextTemplate(text).soleVariable != nil || AppBackend.Base.isAllowed(text),
            "Base URL not allowed: '\(text)'",
            "Write an https:// URL, http:// to localhost, or '{setting}'.")
        return text
    }

    func pairs() throws -> [Form.Item] {
        try members().map { name, node in Form.Item(name: name, value: try node.scalarText()) }
    }

    fileprivate func headers() throws -> [Form.Item] {
        let reserved = [
            "host", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer",
            "upgrade",
        ]
        for (name, node) in try members() {
            let value = try node.scalarText()
            try node.check(
                name.isHTTPToken && value.isHeaderValue, "Invalid header field",
                "Write a name of letters and -, and a value on one line.")
            try node.check(
                !reserved.contains(name.lowercased()), "Reserved header \(name)", "Remove it.")
        }
        return try pairs()
    }
}
