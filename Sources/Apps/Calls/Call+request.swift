package import Web

extension Call {
    /// The request to send, built from a base URL and variables.
    ///
    /// Values are escaped for their position (path, query, form, JSON); CR, LF and NUL never enter
    /// a header. Throws a `Problem` naming the variable when the bearer's value is missing, when a
    /// value cannot be sent in a header, or when a value would change the request's path.
    package func makeRequest(base: String, variables: Variables, timeout: Duration) throws(Problem)
        -> OutboundRequest
    {
        var url = (try customBase(base, variables) ?? base).withoutTrailingSlashes
        url += try path(variables)
        let query = request.query.map { ($0.name, variables.fill($0.value)) }
        if !query.isEmpty { url += "?" + Form.encode(query) }
        var headers = Headers()
        headers.fields.reserveCapacity(request.headers.count + 3)
        headers.add("Accept", "application/json")
        let body = body(variables, &headers)
        for pair in request.headers {
            let value = variables.fill(pair.value)
            guard value.isHeaderValue else { throw Self.headerProblem(pair.name) }
            headers[pair.name] = value
        }
        if let bearer = request.bearerName {
            guard let token = variables[bearer]?.scalarText, !token.isEmpty else {
                throw Problem(
                    status: 409, code: "missing-token", title: "No \(bearer) to send",
                    detail: "The call sends \(bearer) as its bearer token,"
                        + " but the device stores none. Sign in first.")
            }
            guard token.isHeaderValue else { throw Self.headerProblem(bearer) }
            headers["Authorization"] = "Bearer \(token)"
        }
        return OutboundRequest(
            method: request.method, url: url, headers: headers, body: body, timeout: timeout)
    }

    // MARK: Request parts

    /// The call's own base; a relative path or an empty base is resolved below the backend's.
    private func customBase(_ base: String, _ variables: Variables) throws(Problem) -> String? {
        guard let template = request.base else { return nil }
        let resolved = variables.fill(template)
        guard resolved.isEmpty || resolved.hasPrefix("/") else { return resolved }
        guard !resolved.split(separator: "/").contains("..") else {
            throw Self.pathProblem(template)
        }
        return base.withoutTrailingSlashes + resolved
    }

    private func path(_ variables: Variables) throws(Problem) -> String {
        let template = request.path
        guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
        var out = ""
        for part in TextTemplate(template).parts {
            switch part {
            case .plain(let text): out += text
            case .variable(let name):
                let value = variables[name]?.scalarText ?? ""
                guard !value.isEmpty else { throw Self.pathProblem(name) }
                out += PercentEncoding.encode(value)
            }
        }
        // Dots are unreserved characters, and `..` would leave the manifest's path (RFC 3986,
        // 5.2.4).
        for segment in out.split(separator: "/") where segment == "." || segment == ".." {
            throw Self.pathProblem(TextTemplate(template).variableNames.joined(separator: ", "))
        }
        return out
    }

    private func body(_ variables: Variables, _ headers: inout Headers) -> [UInt8] {
        switch request.body {
        case .none: return []
        case .json(let template):
            headers.add("Content-Type", "application/json")
            return withoutEmptyOptionals(Self.filled(template, variables)).bytes
        case .form(let pairs):
            headers.add("Content-Type", "application/x-www-form-urlencoded")
            let encode = { PercentEncoding.encode($0, spaceAsPlus: true) }
            let fields = pairs.map { encode($0.name) + "=" + encode(variables.fill($0.value)) }
            return Array(fields.joined(separator: "&").utf8)
        }
    }

    /// Without the optional members that are null or empty.
    private func withoutEmptyOptionals(_ json: JSON) -> JSON {
        guard !request.optionalMembers.isEmpty, case .object(let members) = json else {
            return json
        }
        return .object(
            members.filter { member in
                !request.optionalMembers.contains(member.name)
                    || (member.value != .null && member.value.string != "")
            })
    }

    /// A string that is a single variable becomes the variable's value with its type, or null if it
    /// has none.
    private static func filled(_ json: JSON, _ variables: Variables) -> JSON {
        switch json {
        case .string(let text):
            guard text.utf8.contains(UInt8(ascii: "{")) else { return json }
            let template = TextTemplate(text)
            if let name = template.soleVariable { return variables[name] ?? .null }
            return .string(variables.fill(text))
        case .array(let elements): return .array(elements.map { filled($0, variables) })
        case .object(let members):
            return .object(members.map { JSON.Member($0.name, filled($0.value, variables)) })
        default: return json
        }
    }

    // MARK: Problems

    private static func headerProblem(_ name: String) -> Problem {
        Problem(
            status: 422, code: "unsendable-header", title: "\(name) cannot be sent",
            detail: "Its value contains a line break or another control"
                + " character, which a header field cannot contain.")
    }

    private static func pathProblem(_ name: String) -> Problem {
        Problem(
            status: 422, code: "unsendable-path", title: "\(name) cannot be used in the path",
            detail: "Its value is empty, or would change the path that the manifest defines.")
    }
}

extension BrowserPage {
    /// The URL to open. `variables` have the values of `{browser.…}`.
    package func url(base: String, variables: Variables) -> String {
        let items = query.map { ($0.name, variables.fill($0.value)) }
        return base.withoutTrailingSlashes + path
            + (items.isEmpty ? "" : "?" + Form.encode(items))
    }
}

extension String {
    /// Whether a header field may have this value (RFC 9110, 5.5): no CR, LF or NUL, and no other
    /// control character except tab.
    var isHeaderValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}
