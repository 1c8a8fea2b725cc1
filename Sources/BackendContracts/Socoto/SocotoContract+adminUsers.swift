import Backend
import Core
import SQLite
import Web

/// Users created and changed by an administrator.
extension SocotoContract {
    /// POST /admin/users.
    func createUser(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        let body = try GoTrueBody(context.request, as: "AdminUserParams")
        let fields = try AdminUserFields(body)
        guard fields.email != nil || fields.phone != nil else {
            throw GoTrueFailure.invalid("Cannot create a user without either an email or phone")
        }
        guard fields.password == nil || fields.passwordHash.isEmpty else {
            throw GoTrueFailure.invalid("Only a password or a password hash should be provided")
        }
        var hash: String?
        if !fields.passwordHash.isEmpty {
            hash = try BcryptHash.check(fields.passwordHash)
        } else if let password = fields.password, !password.isEmpty {
            guard password.utf8.count <= PasswordPolicy.maxLength else {
                throw GoTrueFailure.invalid("bcrypt: password length exceeds 72 bytes")
            }
            hash = try await services.hasher.hash(password)
        }
        let id = try body.text("id")
        guard let uuid = id.isEmpty ? "" : RandomTokens.uuid(parsing: id) else {
            throw GoTrueFailure.invalid("ID must conform to the uuid v4 format")
        }
        guard
            !uuid.utf8.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") })
                || uuid.isEmpty
        else { throw GoTrueFailure.invalid("ID cannot be a nil uuid") }
        let named = try body.text("aud")
        let audience = named.isEmpty ? audience(context) : named
        let passwordHash = hash
        let user = try await write { connection, now in
            try requireAvailable(fields, for: nil, on: connection)
            let recipient =
                fields.email.map(Recipient.email) ?? fields.phone.map(Recipient.phone)
            var account = makeAccount(
                recipient, id: uuid.isEmpty ? nil : uuid, hash: passwordHash,
                fields.userMetadata ?? [], by: .administrator, audience: audience, at: now)
            account.phone = fields.phone
            guard let added = try add(account, on: connection) else {
                throw GoTrueFailure(
                    422, "user_already_exists", "A user with this ID already exists")
            }
            try recordAdministration(
                .userSignedUp, of: added,
                [
                    "provider": .string(fields.email == nil ? "phone" : "email"),
                    "user_email": .string(added.email ?? ""),
                    "user_phone": .string(added.goTruePhone),
                ], on: connection, at: now)
            return try apply(fields, to: added, on: connection, at: now)
        }
        return .plainJSON(user)
    }

    /// PUT /admin/users/{id}.
    func changeUser(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        let body = try GoTrueBody(context.request, as: "AdminUserParams")
        let fields = try AdminUserFields(body)
        var hash: String?
        if let password = fields.password {
            try passwordPolicy.check(password)
            hash = try await services.hasher.hash(password)
        }
        let passwordHash = hash
        let user = try await write { connection, now in
            var current = try connection.account(account.id, in: realm).orThrow(
                GoTrueFailure.unknownUser)
            try requireAvailable(fields, for: current, on: connection)
            if let passwordHash {
                var user = SocotoUser(current)
                try connection.changePassword(
                    hash: passwordHash, of: current, &user, keepingSession: nil, at: now)
                try connection.save(user, of: current)
                current.passwordHash = passwordHash
                current.profile = user.jsonText
            }
            if let email = fields.email, email != current.email {
                var user = SocotoUser(current)
                user.changeIdentity(
                    ofEmail: email, isVerified: fields.confirmsEmail, of: current,
                    newID: RandomTokens.uuid(services.world), at: now)
                try connection.setEmail(
                    of: current.id, to: email, verifiedAt: current.emailVerifiedAt)
                try connection.save(user, of: current)
                current.email = email
                current.profile = user.jsonText
            }
            if let phone = fields.phone, phone != current.phone {
                try connection.setPhone(
                    of: current.id, to: phone, verifiedAt: current.phoneVerifiedAt)
                current.phone = phone
                current = try savePhoneIdentity(of: current, on: connection, at: now)
            }
            try recordAdministration(.userModified, of: current, on: connection, at: now)
            return try apply(fields, to: current, on: connection, at: now)
        }
        return .plainJSON(user)
    }

    private func requireAvailable(
        _ fields: AdminUserFields, for account: Account?, on connection: Connection
    ) throws {
        if let email = fields.email, let owner = try connection.account(email: email, in: realm),
            owner.id != account?.id
        {
            throw GoTrueFailure.emailExists
        }
        if let phone = fields.phone, let owner = try connection.account(phone: phone, in: realm),
            owner.id != account?.id
        {
            throw GoTrueFailure(
                422, "phone_exists",
                account == nil
                    ? "Phone number already registered by another user"
                    : GoTrueFailure.phoneExists.message, [.emailAvailable])
        }
    }

    /// Applies what creating and changing have in common, inside a write. Returns the user object.
    private func apply(
        _ fields: AdminUserFields, to account: Account, on connection: Connection,
        at now: Timestamp
    ) throws -> JSON {
        var account = account
        var user = SocotoUser(account)
        user.merge(fields.userMetadata ?? [])
        user.mergeAppMetadata(fields.appMetadata ?? [])
        try SocotoUser.checkSize(user.metadata)
        try SocotoUser.checkSize(user.appMetadata)
        if !fields.role.isEmpty { user.role = fields.role }
        user.updatedAt = now
        try connection.save(user, of: account)
        account.profile = user.jsonText
        if fields.confirmsEmail, account.email != nil {
            (account, user) = try Self.confirm(account, on: connection, at: now)
            account.profile = user.jsonText
        }
        if fields.confirmsPhone, account.phone != nil {
            (account, user) = try confirmPhone(of: account, on: connection, at: now)
        }
        switch fields.ban {
        case .none: break
        case .lifted:
            try connection.setDisabled(account: account.id, at: nil)
            try connection.setLock(account: account.id, until: nil)
        case .lasting(let duration):
            try connection.setLock(account: account.id, until: now + duration)
        }
        let changed = try connection.account(account.id, in: realm) ?? account
        return SocotoUser(changed).userObject(changed)
    }
}

/// The validated fields of a request to create or change a user.
private struct AdminUserFields: Sendable {
    let email: String?
    let phone: String?
    let password: String?
    let passwordHash: String
    let confirmsEmail: Bool
    let confirmsPhone: Bool
    let role: String
    let userMetadata: [JSON.Member]?
    let appMetadata: [JSON.Member]?
    let ban: Ban

    enum Ban: Sendable {
        case none, lifted
        case lasting(Duration)
    }

    init(_ body: GoTrueBody) throws(GoTrueFailure) {
        let address = try body.text("email")
        email = address.isEmpty ? nil : try GoTrueEmailAddress.parse(address)
        let number = try body.text("phone")
        phone = number.isEmpty ? nil : try GoTruePhoneNumber.parse(number)
        password = body.has("password") ? try body.text("password") : nil
        passwordHash = try body.text("password_hash")
        confirmsEmail = try body.bool("email_confirm") ?? false
        confirmsPhone = try body.bool("phone_confirm") ?? false
        role = try body.text("role")
        userMetadata = try body.object("user_metadata")
        appMetadata = try body.object("app_metadata")
        switch try body.text("ban_duration") {
        case "": ban = .none
        case "none": ban = .lifted
        case let text:
            let duration = try GoDuration.parse(text)
            ban = duration == .zero ? .lifted : .lasting(duration)
        }
    }
}

/// A duration as Go writes it: `24h`, `1h30m`, `1.5s`.
enum GoDuration {
    /// Throws the server's 400 if the text is not one.
    static func parse(_ text: String) throws(GoTrueFailure) -> Duration {
        func failure(_ reason: String) -> GoTrueFailure {
            .invalid("invalid format for ban duration: time: \(reason) \"\(text.prefix(80))\"")
        }
        var rest = text[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        if rest == "0" { return .zero }
        guard !rest.isEmpty else { throw failure("invalid duration") }
        var seconds = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            guard let value = Double(number.hasPrefix(".") ? "0" + number : String(number)) else {
                throw failure("invalid duration")
            }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !($0.isASCII && $0.isNumber) }
            guard !unit.isEmpty else { throw failure("missing unit in duration") }
            guard let factor = units[String(unit)] else {
                throw .invalid(
                    "invalid format for ban duration: time: unknown unit \"\(unit.prefix(20))\" "
                        + "in duration \"\(text.prefix(80))\"")
            }
            seconds += value * factor
            rest = rest.dropFirst(unit.count)
        }
        // As many as 64 bits of nanoseconds can count.
        guard seconds < 9_223_372_036 else { throw failure("invalid duration") }
        return .milliseconds(Int64(seconds * 1_000) * (isNegative ? -1 : 1))
    }

    private static let units = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3_600,
    ]
}

/// A password hash in bcrypt's format, which `crypt(5)` can verify.
enum BcryptHash {
    /// Throws a 400 for other formats.
    static func check(_ hash: String) throws(GoTrueFailure) -> String {
        guard let match = hash.wholeMatch(of: /\$2[aby]\$(\d\d)\$[.\/A-Za-z0-9]{53}/),
            let cost = Int(match.output.1), (4...maxCost).contains(cost)
        else {
            throw .invalid(
                "Only bcrypt password hashes with a cost of 4 to 14 can be verified here")
        }
        return hash
    }

    /// A sign-in takes about a second with it.
    private static let maxCost = 14
}
