import Web

/// The manifest of an app that is made from an OpenAPI document.
struct OpenAPIManifest {
    private typealias Role = SignInOperations.Role

    private let draft: AppDraft
    private let document: OpenAPIDocument
    private let operations: SignInOperations
    /// The fields of the screens, by the role whose call they are for.
    private var fields: [Role: [MadeField]] = [:]
    private var remarks: [String] = []

    init(_ draft: AppDraft, _ document: OpenAPIDocument) throws(Problem) {
        self.draft = draft
        self.document = document
        operations = SignInOperations(document)
        if draft.base.isEmpty, absoluteServerURL == nil {
            throw Problem(
                errors: [
                    .init(
                        pointer: "/base", detail: "is missing, and the document has no server URL")
                ], title: "Invalid app")
        }
        for role in Role.allCases {
            if let operation = operations[role] {
                fields[role] = MadeField.fields(
                    of: operation.body, in: document, isSignIn: role != .register)
            }
        }
        if fields[.login] == nil {
            remarks.append(
                "no login was found: correct path, fields and capture of the call login")
            fields[.login] = [
                MadeField(path: ["email"], ["type": "string", "format": "email"]),
                MadeField(path: ["password"], ["type": "string", "format": "password"]),
            ].compactMap(\.self)
        } else if captures(.login).isEmpty {
            remarks.append(
                "the response of login has no known access token: correct capture of the call login"
            )
        }
        for role in [Role.login, .register, .verify] {
            for field in fields[role] ?? [] where field.isNumber {
                remarks.append("\(role.rawValue): \(field.name) is a number and is sent as a text")
            }
        }
        for role in [Role.register, .verify, .refresh, .me, .logout] where operations[role] == nil {
            remarks.append("no operation was found for: \(role.title)")
        }
    }

    private var absoluteServerURL: String? {
        document.serverURL.map(\.withoutTrailingSlashes).flatMap {
            AppBackend.Base.isAllowed($0) ? $0 : nil
        }
    }

    /// The base URL: the draft's, with the path of a relative server URL if it has none.
    private var base: String {
        if draft.base.isEmpty { return absoluteServerURL ?? "" }
        guard let path = document.serverURL, path.hasPrefix("/"), !path.hasPrefix("//"),
            URLParts(draft.base).path.isEmpty || URLParts(draft.base).path == "/"
        else { return draft.base }
        return (draft.base + path).withoutTrailingSlashes
    }

    private func q(_ text: String) -> String { AppDraft.quoted(text) }

    /// The call's name in the manifest.
    private func has(_ role: Role) -> Bool { role == .login || operations[role] != nil }

    // MARK: The manifest

    var text: String {
        let keyHeader = Role.allCases.lazy.compactMap { operations[$0]?.keyHeader }.first
        let names = Role.allCases.filter { has($0) && isUsable($0) }
        var lines = [
            "// \(AppDraft.comment(draft.name)), made by Foyer from the OpenAPI document "
                + "\(AppDraft.comment(document.title))."
        ]
        lines += remarks.map { AppDraft.checkPrefix + AppDraft.comment($0) }
        lines += [
            "{", "  name: \(q(draft.name)),", "  \(draft.lookLine)", "",
            "  backends: { backend: { label: 'Backend', base: \(q(base)) } },",
        ]
        if keyHeader != nil {
            lines.append("  settings: { apiKey: { label: 'API key', secret: true } },")
        }
        let hasRefreshToken = refreshTokenName != nil
        lines += [
            "", "  // Values held until the next cold start.",
            "  memory: { user: {}"
                + memoryFields.map { ", \($0): {}" }.joined() + " },", "",
            "  // The keys that the app uses on a phone.", "  storage: {",
            "    \(keyPrefix)_access_token: { area: 'keychain', holds: 'accessToken' },",
        ]
        if hasRefreshToken {
            lines.append(
                "    \(keyPrefix)_refresh_token: { area: 'keychain', holds: 'refreshToken' },")
        }
        lines += ["  },", "", "  calls: {"]
        for role in names { lines += call(role).map { "    " + $0 } }
        lines += ["  },", ""]
        let refresh = operations[.refresh] != nil && hasRefreshToken ? "refresh: 'refresh', " : ""
        lines += [
            "  session: { \(refresh)expired: { clear: ['keychain'], go: 'login', "
                + "message: 'Your session has expired. Please sign in again.' } },",
            "", "  // What a cold start does: the first row that applies.", "  launch: [",
            "    { stored: ['accessToken'], " + (has(.me) ? "call: 'me', " : "") + "go: 'home' },",
            "    { go: 'login' },", "  ],", "", "  screens: {",
            "    splash: { kind: 'launch', title: \(q(draft.name)) },",
        ]
        lines += screens.map { "    " + $0 }
        return (lines + ["  },", "}", ""]).joined(separator: "\n")
    }

    private var keyPrefix: String { draft.id.replacing("-", with: "_") }

    /// The names of fields that a later screen may show or use: who registers or signs in.
    private var memoryFields: [String] {
        let names = (fields[.register] ?? []) + (fields[.login] ?? [])
        let found = names.filter(\.isUser).map(\.name)
        return Set(found).subtracting(["user"]).sorted()
    }

    // MARK: Calls

    private static let accessNames = [
        "accesstoken", "access", "idtoken", "authtoken", "jwt", "token", "sessiontoken", "bearer",
        "key",
    ]
    private static let refreshNames = ["refreshtoken", "refresh"]

    /// The pointers to the tokens in the response of a call that signs in or refreshes.
    private func captures(_ role: Role) -> [(name: String, pointers: [String])] {
        guard [.login, .register, .refresh].contains(role) else { return [] }
        let response = operations[role]?.response
        return [("accessToken", Self.accessNames), ("refreshToken", Self.refreshNames)].compactMap {
            name, words in
            pointer(to: words, in: response).map { (name, [$0]) }
        }
    }

    /// The pointer to the first property with one of the normalized names, the shallowest first.
    private func pointer(to names: [String], in schema: JSON?) -> String? {
        var leaves: [(pointer: String, name: String)] = []
        func collect(_ schema: JSON?, _ prefix: String, _ depth: Int) {
            let properties = document.properties(of: schema)
            for property in properties where document.properties(of: property.value).isEmpty {
                let token = property.name.replacing("~", with: "~0").replacing("/", with: "~1")
                leaves.append(
                    ("\(prefix)/\(token)", SignInOperations.normalized(property.name)))
            }
            guard depth < 4 else { return }
            for property in properties {
                collect(property.value, "\(prefix)/\(property.name)", depth + 1)
            }
        }
        collect(schema, "", 0)
        for name in names {
            if let leaf = leaves.first(where: { $0.name == name }) { return leaf.pointer }
        }
        return nil
    }

    /// The field or capture that a refresh sends, if a response captures a refresh token.
    private var refreshTokenName: String? {
        (captures(.login) + captures(.register)).contains { $0.name == "refreshToken" }
            ? "refreshToken" : nil
    }

    private func call(_ role: Role) -> [String] {
        let operation = operations[role]
        let path = operation?.path ?? "/login"
        var request = "method: '\(operation?.method ?? "POST")', path: \(q(path))"
        if let header = operation?.keyHeader {
            request += ", headers: { \(q(header)): '{apiKey}' }"
        }
        if operation?.isSecured == true, ![.login, .register].contains(role) {
            request += ", bearer: 'accessToken'"
        }
        let fields = fields[role] ?? []
        if !fields.isEmpty, operation?.method != "GET" {
            let body = MadeField.body(fields) { field in
                if role == .refresh, !field.isConstant {
                    return refreshTokenName.map { "'{\($0)}'" } ?? "'{accessToken}'"
                }
                return role == .logout && !field.isConstant
                    ? "'{\(refreshTokenName ?? "accessToken")}'" : field.value
            }
            request += ", \(operation?.isForm == true ? "form" : "json"): \(body)"
        }
        var lines = ["\(role.rawValue): {", "  request: { \(request) },"]
        let statuses = operation?.successStatuses.filter { $0 != 204 } ?? []
        var success = statuses.isEmpty ? "" : "status: \(statuses), "
        var captures = captures(role)
        if role == .login, captures.isEmpty {
            captures = [
                (
                    "accessToken",
                    [
                        "/access_token", "/accessToken", "/access", "/token", "/data/access_token",
                        "/data/token", "/session/access_token", "/key",
                    ]
                )
            ]
        }
        if refreshTokenName == nil { captures.removeAll { $0.name == "refreshToken" } }
        let needsToken = role == .login || role == .refresh
        switch role {
        case .me: success += "capture: { user: ['/data/user', '/user', '/data', '/'] }"
        case _ where captures.isEmpty: success += "body: 'any'"
        default:
            let list = captures.map {
                "\($0.name): [\($0.pointers.map(q).joined(separator: ", "))]"
            }
            success += "capture: { \(list.joined(separator: ", ")) }"
            if needsToken, captures.contains(where: { $0.name == "accessToken" }) {
                success += ", require: ['accessToken']"
            } else {
                success += ", body: 'any'"
            }
        }
        lines.append("  success: { \(success) },")
        if role == .login, operations[.verify] != nil,
            operation?.failureStatuses.contains(403) == true
        {
            lines.append("  failures: [{ status: [403], go: 'verify' }],")
        }
        if role == .logout {
            lines.append("  bestEffort: true,")
        } else {
            lines.append(
                "  messagePointers: ['/message', '/detail', '/detail/0/msg', '/error/message', "
                    + "'/error_description', '/error', '/non_field_errors/0', '/errors/0/message', "
                    + "'/title'],")
        }
        let shown = fields.filter { !$0.isConstant }
        if [.login, .register, .verify].contains(role), !shown.isEmpty {
            let pointers = shown.map { field in
                "\(field.name): [\(q("/" + field.key + "/0")), \(q("/errors/" + field.key + "/0"))]"
            }
            lines.append("  fieldMessagePointers: { \(pointers.joined(separator: ", ")) },")
        }
        return lines + ["},"]
    }

    // MARK: Screens

    private var screens: [String] {
        let tokens = (["accessToken"] + [refreshTokenName].compactMap(\.self)).map(q).joined(
            separator: ", ")
        let hasRegister = operations[.register] != nil
        let hasVerify = operations[.verify] != nil
        var lines = ["login: {", "  kind: 'form', title: \(q(draft.name)),"]
        lines += fieldLines(.login)
        lines.append(
            "  submit: { label: 'Sign in', calls: ['login'], store: [\(tokens)], go: 'home', "
                + "onFailure: { clear: \(clearedFields(.login)) } },")
        if operations[.requestCode] != nil, isUsable(.requestCode),
            let user = fields[.requestCode]?.first(where: { !$0.isConstant })
        {
            lines.append(
                "  actions: { requestCode: { label: 'Send code', checks: [\(q(user.name))], "
                    + "calls: ['requestCode'], toast: 'Code sent' } },")
        }
        var links: [String] = []
        if hasRegister { links.append("register: { screen: 'register', label: 'Create account' }") }
        if hasVerify { links.append("verify: { screen: 'verify', label: 'Verify email' }") }
        if !links.isEmpty { lines.append("  links: { \(links.joined(separator: ", ")) },") }
        lines.append("},")
        if hasRegister {
            lines += ["register: {", "  kind: 'form', title: 'Create account',"]
            lines += fieldLines(.register)
            let signsIn = captures(.register).contains { $0.name == "accessToken" }
            let next =
                signsIn
                ? "store: [\(tokens)], go: 'home'"
                : hasVerify
                    ? "go: 'verify'" : "go: 'login', notice: 'Account created. Please sign in.'"
            lines.append(
                "  submit: { label: 'Create account', calls: ['register'], \(next), "
                    + "onFailure: { clear: \(clearedFields(.register)) } },")
            lines += ["  links: { login: { screen: 'login', label: 'Sign in' } },", "},"]
        }
        if hasVerify {
            lines += ["verify: {", "  kind: 'verify', title: 'Verify your email',"]
            lines += fieldLines(.verify)
            lines.append(
                "  submit: { label: 'Verify', calls: ['verify'], go: 'login', "
                    + "notice: 'Verified. Please sign in.' },")
            if operations[.resend] != nil, isUsable(.resend) {
                lines.append(
                    "  actions: { resend: { label: 'Send again', calls: ['resend'], "
                        + "toast: 'Sent again' } },")
            }
            lines += ["  links: { login: { screen: 'login', label: 'Back to sign in' } },", "},"]
        }
        lines += [
            "home: {",
            "  kind: 'home', title: 'Signed in', needs: 'session',"
                + (operations[.me] == nil ? "" : " load: ['me'],"),
            "  actions: { logout: { label: 'Sign out', role: 'destructive', "
                + (operations[.logout] == nil ? "" : "calls: ['logout'], ")
                + "clear: ['keychain'], go: 'login' } },", "},",
        ]
        return lines
    }

    /// Whether the values that the call sends are those of its screen or in memory.
    private func isUsable(_ role: Role) -> Bool {
        guard let screen = [Role.resend: Role.verify, .requestCode: .login][role] else {
            return true
        }
        return operations[screen] != nil
            && (fields[role] ?? []).allSatisfy { field in
                field.isConstant || memoryFields.contains(field.name)
                    || (fields[screen] ?? []).contains { $0.name == field.name }
            }
    }

    private func clearedFields(_ role: Role) -> String {
        let names = (fields[role] ?? []).filter(\.isPassword).map { q($0.name) }
        return "[\(names.joined(separator: ", "))]"
    }

    private func fieldLines(_ role: Role) -> [String] {
        let fields = (fields[role] ?? []).filter { !$0.isConstant }
        guard !fields.isEmpty else { return [] }
        let password = fields.first { $0.isPassword }
        return ["  fields: {"]
            + fields.map { "    " + $0.line(password: password, isNew: role == .register) }
            + ["  },"]
    }
}
