import Web

extension RequestTemplate {
    init(_ node: ManifestNode) throws(ManifestError) {
        try node.allowOnly(
            "method", "path", "base", "query", "headers", "json", "form", "bearer", "optional")
        method = try node.require("method").method()
        path = try node.require("path").callPath()
        base = try node["base"]?.base()
        query = try node["query"]?.pairs() ?? []
        headers = try node["headers"]?.headers() ?? []
        bearerName = try node["bearer"]?.string()
        optionalMembers = try node["optional"]?.strings() ?? []
        switch (node["json"], node["form"]) {
        case (nil, nil): body = .none
        case (let json?, nil): body = .json(json.document.json)
        case (nil, let form?): body = .form(try form.pairs())
        case (_?, let form?):
            throw form.error("Both json and form", "Keep one of them.")
        }
        for name in optionalMembers {
            if case .json(let json) = body, json[name] != nil { continue }
            throw node.error(
                "The JSON body has no member \(name)",
                "List members that may be omitted if empty.")
        }
        if method.isSafe, body != .none {
            throw node.error(
                "A \(method.rawValue) request has no body",
                "Send it with POST, or put the values in query."
            )
        }
    }
}

extension ManifestNode {
    fileprivate func method() throws(ManifestError) -> Method {
        let allowed: [Method] = [.get, .post, .put, .patch, .delete, .head]
        let text = try string()
        guard let method = allowed.first(where: { $0.rawValue == text }) else {
            throw error(
                "Invalid method \(text)",
                SpellingSuggestion.fix(text, allowed.map(\.rawValue)))
        }
        return method
    }

    fileprivate func callPath() throws(ManifestError) -> String {
        let text = try string()
        let segments = text.split(separator: "/")
        guard text.hasPrefix("/"), !text.hasPrefix("//"), !segments.contains("."),
            !segments.contains(".."), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.contains(where: { "?#\\".contains($0) })
        else {
            throw error(
                "Invalid path '\(text)'",
                "Start with one slash, use no . or .. segment, percent-encode other"
                    + " characters and write parameters in query.")
        }
        return text
    }

    /// A base for this call: a URL, or a setting that holds one.
    fileprivate func base() throws(ManifestError) -> String {
        let text = try string()
        guard TextTemplate(text).soleVariable != nil || AppBackend.Base.isAllowed(text) else {
            throw error(
                "Base URL not allowed: '\(text)'",
                "Write an https:// URL, http:// to localhost, or '{setting}'.")
        }
        return text
    }

    fileprivate func pairs() throws(ManifestError) -> [RequestTemplate.Pair] {
        var pairs: [RequestTemplate.Pair] = []
        for (name, node) in try members() {
            pairs.append(RequestTemplate.Pair(name: name, value: try node.scalarText()))
        }
        return pairs
    }

    fileprivate func headers() throws(ManifestError) -> [RequestTemplate.Pair] {
        let reserved = [
            "host", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer",
            "upgrade",
        ]
        for (name, node) in try members() {
            // RFC 9110, 5.6.2: a field name is a token.
            let isToken =
                !name.isEmpty
                && name.utf8.allSatisfy {
                    $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
                }
            guard isToken, Escape.isHeaderValue(try node.scalarText()) else {
                throw node.error(
                    "Invalid header field",
                    "Write a name of letters and -, and a value on one line.")
            }
            guard !reserved.contains(name.lowercased()) else {
                throw node.error("Reserved header \(name)", "Remove it.")
            }
        }
        return try pairs()
    }
}
