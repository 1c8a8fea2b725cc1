import Web

/// The operations of a backend that a sign-in needs, found by their path, name, security and
/// fields.
struct SignInOperations {
    typealias Operation = OpenAPIDocument.Operation

    private(set) var found: [Role: Operation] = [:]

    enum Role: String, CaseIterable {
        case login, register, verify, resend, requestCode, refresh, me, logout

        /// How the manifest's comments name it.
        var title: String {
            switch self {
            case .me: "user (me)"
            case .requestCode: "request a code"
            default: rawValue
            }
        }
    }

    init(_ document: OpenAPIDocument) {
        for role in Role.allCases {
            // A login with a password needs no code.
            if role == .requestCode {
                let login = found[.login].map { Candidate($0, document) }
                guard let login, login.hasCode, !login.hasPassword else { continue }
            }
            let ranked = document.operations.map { operation in
                (operation, Candidate(operation, document).score(as: role))
            }.filter { $0.1 >= role.threshold && !isTaken($0.0) }
            // The shortest path of the best.
            found[role] = ranked.max { ($0.1, -$0.0.path.count) < ($1.1, -$1.0.path.count) }?.0
        }
    }

    subscript(role: Role) -> Operation? { found[role] }

    private func isTaken(_ operation: Operation) -> Bool {
        found.values.contains { $0.method == operation.method && $0.path == operation.path }
    }

    /// A name without case, hyphens and underscores.
    static func normalized(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

extension SignInOperations.Role {
    /// The lowest score of an operation with this role.
    fileprivate var threshold: Int {
        switch self {
        case .me: 3
        case .resend: 6
        default: 4
        }
    }
}

/// An operation that may have a role in a sign-in.
private struct Candidate {
    private let operation: OpenAPIDocument.Operation
    private let words: String
    private let lastSegment: String
    private let fields: Set<String>

    init(_ operation: OpenAPIDocument.Operation, _ document: OpenAPIDocument) {
        self.operation = operation
        let segments = operation.path.split(separator: "/").map {
            SignInOperations.normalized(String($0))
        }
        words = segments.joined(separator: "/") + " " + SignInOperations.normalized(operation.id)
        lastSegment = segments.last ?? ""
        let top = document.properties(of: operation.body)
        let names = top.map(\.name) + top.flatMap { document.properties(of: $0.value) }.map(\.name)
        fields = Set(names.map(SignInOperations.normalized))
    }

    var hasPassword: Bool { has(["password", "passwd", "passphrase"]) }
    var hasCode: Bool { has(["code", "otp", "pin"]) }
    private var hasUser: Bool {
        has(["email", "username", "login", "phone", "mobile", "identifier"])
    }

    private func has(_ parts: [String]) -> Bool {
        fields.contains { field in parts.contains { field.contains($0) } }
    }

    /// The sum of the weights of the words that occur.
    private func sum(_ weights: [String: Int]) -> Int {
        weights.reduce(0) { $0 + (words.contains($1.key) ? $1.value : 0) }
    }

    func score(as role: SignInOperations.Role) -> Int {
        let isPost = operation.method == "POST"
        switch role {
        case .login:
            guard isPost, hasUser, hasPassword || hasCode else { return 0 }
            return sum([
                "login": 6, "signin": 6, "authenticate": 5, "token": 4, "jwtcreate": 4,
                "session": 4, "auth": 1, "register": -12, "signup": -12, "reset": -12,
                "forgot": -12, "change": -12, "refresh": -12, "admin": -4,
            ]) + (operation.isSecured ? -2 : 1) + (fields.count <= 3 ? 1 : 0)
                + (hasPassword ? 1 : sum(["verify": 2]))
        case .register:
            guard isPost, hasPassword, hasUser else { return 0 }
            return sum([
                "register": 6, "registration": 6, "signup": 6, "createuser": 5,
                "createaccount": 5, "usercreate": 5, "login": -8, "reset": -12, "change": -12,
                "admin": -4,
            ]) + (["users", "accounts", "user", "account"].contains(lastSegment) ? 4 : 0)
                + (operation.isSecured ? -3 : 0)
        case .verify:
            guard isPost || operation.method == "PATCH", !hasPassword,
                hasCode || has(["token", "uid", "key"])
            else { return 0 }
            return sum([
                "verify": 5, "verif": 1, "confirm": 5, "activat": 6, "resend": -8, "request": -8,
                "send": -4, "reset": -8, "password": -8, "jwt/verify": -8, "token/verify": -8,
                "login": -4,
            ])
        case .resend:
            guard isPost, !hasPassword else { return 0 }
            return sum([
                "resend": 7, "requestverify": 7, "sendverif": 7, "reset": -8, "password": -8,
            ])
        case .requestCode:
            guard isPost, hasUser, !hasPassword, !hasCode else { return 0 }
            return sum(["send": 3, "request": 3, "code": 3, "otp": 3, "magic": 2, "start": 2])
        case .refresh:
            guard isPost, !hasPassword else { return 0 }
            return sum(["refresh": 6, "renew": 5, "revoke": -8])
                + (has(["refresh", "token"]) ? 1 : 0)
        case .me:
            guard operation.method == "GET" else { return 0 }
            let weights = [
                "me": 7, "whoami": 7, "userinfo": 6, "currentuser": 6, "self": 5, "profile": 4,
                "account": 3, "user": 3, "session": 2,
            ]
            return (weights[lastSegment] ?? 0) + (operation.isSecured ? 1 : -2)
        case .logout:
            guard operation.method != "GET" || words.contains("logout") else { return 0 }
            return sum(["logout": 7, "signout": 7, "revoke": 4, "logoutall": -3, "all": -1])
        }
    }
}
