import Backend
import Core
import Crypto
import FoundationEssentials
import SQLite
import Web

/// What only administrators do: many accounts at once, and session cookies.
extension ClarityContract {
    /// Throws unless the request is an administrator's.
    private func readAdministratorRequest(_ context: RequestContext, project: String? = nil) throws
        -> GoogleRequest
    {
        let request = try readRequest(context, project: project)
        guard request.isPrivileged else { throw GoogleFailure.insufficientPermission }
        return request
    }

    /// `accounts:batchGet`: a page of accounts, sorted by their ids.
    func batchGet(_ context: RequestContext) async throws -> Response {
        _ = try readAdministratorRequest(context)
        let query = context.target.query
        return try await page(
            maxResults: query.value(of: "maxResults")?.nonEmpty,
            after: query.value(of: "nextPageToken")?.nonEmpty)
    }

    /// `relyingparty/downloadAccount`, the same with its parameters in the message.
    func downloadAccount(_ context: RequestContext) async throws -> Response {
        let body = try readBatchRequest(context)
        return try await page(
            maxResults: try body.text("maxResults"), after: try body.text("nextPageToken"))
    }

    /// `relyingparty/uploadAccount`.
    func uploadAccount(_ context: RequestContext) async throws -> Response {
        try await batchCreate(try readBatchRequest(context))
    }

    /// The older methods name the project in the message.
    private func readBatchRequest(_ context: RequestContext) throws -> GoogleBody {
        let request = try readRequest(context)
        guard request.isPrivileged, try request.body.text("targetProjectId") != nil else {
            throw GoogleFailure.insufficientPermission
        }
        return request.body
    }

    private static let pageSize = 20
    private static let maxPageSize = 1_000.0

    private func page(maxResults: String?, after token: String?) async throws -> Response {
        let requested = maxResults.flatMap { Double($0) } ?? 0
        // Not a number is not at least one either. The emulator returns all accounts for -1.
        let limit =
            requested < 0
            ? Int.max : requested >= 1 ? Int(min(requested, Self.maxPageSize)) : Self.pageSize
        let accounts = try await sortedAccounts().drop { $0.localID <= token ?? "" }
        let page = Array(accounts.prefix(limit))
        let next = page.count == limit ? page.last?.localID : nil
        return .json(
            .omittingNil([
                "kind": "identitytoolkit#DownloadAccountResponse",
                "users": .array(try await userInfos(page)),
                "nextPageToken": next.map(JSON.string),
            ]))
    }

    private func sortedAccounts() async throws -> [Account] {
        try await database.read { connection in try connection.accounts(in: realm) }
            .sorted { $0.localID < $1.localID }
    }

    /// `accounts:query`: every account, or their number.
    func queryAccounts(_ context: RequestContext) async throws -> Response {
        try await queryAccounts(try readAdministratorRequest(context).body)
    }

    private func queryAccounts(_ body: GoogleBody) async throws -> Response {
        if try body.list("expression")?.isEmpty == false {
            throw GoogleFailure.notImplemented("expression is not implemented.")
        }
        var accounts = try await sortedAccounts()
        let count = JSON.string(String(accounts.count))
        guard try body.optionalFlag("returnUserInfo") ?? true else {
            return .json(["recordsCount": count])
        }
        let sort = try body.text("sortBy")
        guard sort.map({ ["USER_ID", "SORT_BY_FIELD_UNSPECIFIED", "0", "1"].contains($0) }) ?? true
        else { throw GoogleFailure.notImplemented("Only sorting by USER_ID is implemented.") }
        if try ["DESC", "2"].contains(body.text("order") ?? "") { accounts.reverse() }
        let offset = Int(clamping: max(0, try body.number("offset") ?? 0))
        let limit = Int(clamping: max(1, try body.number("limit") ?? Int64(Int32.max)))
        let page = Array(accounts.dropFirst(offset).prefix(limit))
        return .json([
            "recordsCount": .string(String(page.count)),
            "userInfo": .array(try await userInfos(page)),
        ])
    }

    /// `accounts:batchDelete`. Only disabled accounts, unless it is forced.
    func batchDelete(_ context: RequestContext) async throws -> Response {
        let body = try readAdministratorRequest(context).body
        let localIDs = try body.texts("localIds")
        guard (1...1_000).contains(localIDs.count) else { throw GoogleFailure.tooManyLocalIDs }
        let isForced = try body.flag("force")
        let errors = try await database.write { connection in
            try localIDs.enumerated().compactMap { index, localID -> JSON? in
                guard let account = try connection.account(localID: localID, in: realm) else {
                    return nil
                }
                guard isForced || account.disabledAt != nil else {
                    return [
                        "index": .int(Int64(index)), "localId": .string(localID),
                        "message": "NOT_DISABLED : Disable the account before batch deletion.",
                    ]
                }
                try connection.remove(account: account.id)
                return nil
            }
        }
        return .json(.omittingNil(["errors": errors.isEmpty ? nil : .array(errors)]))
    }

    // MARK: Import

    /// `accounts:batchCreate`: imports accounts. Those that cannot be are reported one by one.
    func batchCreate(_ context: RequestContext) async throws -> Response {
        try await batchCreate(try readAdministratorRequest(context).body)
    }

    private func batchCreate(_ body: GoogleBody) async throws -> Response {
        let users = try body.list("users") ?? []
        guard !users.isEmpty else { throw GoogleFailure("MISSING_USER_ACCOUNT") }
        let overwrites = try body.flag("allowOverwrite")
        let isChecked = try body.flag("sanityCheck")
        if isChecked { try Self.checkUniqueness(of: users) }
        if !overwrites {
            var ids: Set<String> = []
            for user in users {
                let id = try user.text("localId") ?? ""
                guard ids.insert(id).inserted else { throw GoogleFailure("DUPLICATE_LOCAL_ID", id) }
            }
        }
        // Of a password that no one knows, for hashes that cannot be verified here.
        let unknownHash = try await services.hasher.hash(RandomTokens.secret(services.world))
        var errors: [JSON] = []
        for (index, user) in users.enumerated() {
            func add(_ error: ImportError) {
                errors.append(["index": .int(Int64(index)), "message": .string(error.message)])
            }
            do {
                try await create(try readImport(user, unknownHash), overwrites: overwrites)
            } catch let error as ImportError {
                add(error)
            } catch let failure as GoogleFailure where failure == .emailExists && !isChecked {
                let email = try user.text("email") ?? ""
                add(
                    ImportError(
                        "((Auth Emulator does not support importing duplicate email: \(email)))"))
            } catch let failure as GoogleFailure {
                add(ImportError(failure))
            }
        }
        return .json([
            "kind": "identitytoolkit#UploadAccountResponse", "error": .array(errors),
        ])
    }

    private static func checkUniqueness(of users: [GoogleBody]) throws {
        var emails: Set<String> = []
        var identities: Set<[String]> = []
        for user in users {
            if let email = try user.text("email"), !emails.insert(email).inserted {
                throw GoogleFailure("DUPLICATE_EMAIL", email)
            }
            for identity in try user.list("providerUserInfo") ?? [] {
                let provider = try identity.text("providerId") ?? ""
                let subject = try identity.text("rawId") ?? ""
                guard identities.insert([provider, subject]).inserted else {
                    throw GoogleFailure(
                        "DUPLICATE_RAW_ID", "Provider id(\(provider)), Raw id(\(subject))")
                }
            }
        }
    }

    /// Why one account cannot be imported, as display text.
    private struct ImportError: Error {
        let message: String

        init(_ message: String) { self.message = message }

        /// Google's own wording in imports.
        init(_ failure: GoogleFailure) {
            switch failure {
            case .invalidEmail: message = "email is invalid"
            case .emailExists: message = "email exists in other account in database"
            case .invalidPhoneNumber: message = "phone number format is invalid"
            case .phoneNumberExists: message = "phone number exists in other account in database"
            case .identityAlreadyLinked: message = "raw id exists in other account in database"
            case .invalidClaims: message = "Invalid custom claims provided."
            case .claimsTooLarge: message = "Custom claims provided are too large."
            case .invalidFactorPhone: message = "Phone number format is invalid"
            default:
                message =
                    failure.message.hasPrefix("FORBIDDEN_CLAIM")
                    ? "Custom claims provided include a reserved claim." : failure.message
            }
        }
    }

    private struct Import: Sendable {
        let localID: String
        var change: ClarityAccountUpdate
        var passwordHash: String?
        var identities: [ClarityIdentity] = []
    }

    private func readImport(_ user: GoogleBody, _ unknownHash: String) async throws -> Import {
        guard let localID = try readLocalID(user) else { throw ImportError("localId is missing") }
        var change = ClarityAccountUpdate()
        try change.readProfile(user)
        change.email = try readEmailAddress(user)
        change.phone = try readPhoneNumber(user)
        change.isEmailVerified = try user.flag("emailVerified")
        change.isDisabled = try user.flag("disabled")
        change.createdAt = try user.number("createdAt")
        change.lastLoginAt = try user.number("lastLoginAt")
        if user.has("customAttributes") {
            change.customAttributes = try Self.readCustomAttributes(user)
        }
        if let list = try user.list("mfaInfo"), !list.isEmpty {
            guard change.email != nil else {
                throw ImportError("Second factor account requires email to be presented.")
            }
            guard change.isEmailVerified == true else {
                throw ImportError("Second factor account requires email to be verified.")
            }
            guard list.allSatisfy({ $0.has("phoneInfo") }) else {
                throw ImportError("Second factor not supported.")
            }
            change.factors = try Self.readFactors(
                list, areNew: list.contains { !$0.has("mfaEnrollmentId") })
        }
        var result = Import(localID: localID, change: change)
        for identity in try user.list("providerUserInfo") ?? [] {
            let provider = try identity.text("providerId")
            if provider == "password" || provider == "phone" { continue }
            guard let provider, let subject = try identity.text("rawId") else {
                throw ImportError(
                    identity.has("federatedId")
                        ? "((Parsing federatedId is not implemented in Auth Emulator; please specify "
                            + "providerId AND rawId as a workaround.))"
                        : "federatedId or (providerId & rawId) is required")
            }
            result.identities.append(
                try ClarityIdentity(identity, provider: provider, subject: subject))
        }
        result.passwordHash = try await readPasswordHash(user, unknownHash)
        return result
    }

    /// The hash of an imported password, in the format of `crypt(5)`.
    ///
    /// It is the given one if `crypt(3)` can verify it, or that of a password that is sent as such
    /// or in the emulator's export. With any other hash, which the emulator accepts too, no
    /// password works.
    private func readPasswordHash(_ user: GoogleBody, _ unknownHash: String) async throws -> String?
    {
        if let password = try user.password("rawPassword") { return try await hash(password) }
        guard let text = try user.text("passwordHash") else { return nil }
        let decoded = Base64URL.decode(
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        ).flatMap { String(validating: $0, as: UTF8.self) }
        for hash in [text, decoded ?? ""] {
            if hash.hasPrefix("fakeHash:salt="),
                let range = hash.firstRange(of: ":password=")
            {
                return try await self.hash(String(hash[range.upperBound...]))
            }
            if hash.hasPrefix("$2"), hash.utf8.count == 60,
                (try? await services.hasher.verify("", against: hash)) != nil
            {
                return hash
            }
        }
        return unknownHash
    }

    private func create(_ user: Import, overwrites: Bool) async throws {
        let world = services.world
        try await write { connection, now in
            if let existing = try connection.account(localID: user.localID, in: realm) {
                guard overwrites else {
                    throw ImportError(
                        "localId belongs to an existing account - can not overwrite.")
                }
                try connection.remove(account: existing.id)
            }
            let account = try addAccount(user.localID, on: connection, at: now)
            var change = user.change
            change.lastLoginAt = change.lastLoginAt ?? now.milliseconds
            let changed = try change.apply(
                to: account, passwordHash: user.passwordHash, on: connection, at: now, world: world)
            for identity in user.identities {
                try connection.link(identity, to: changed, at: now, world: world)
            }
        }
    }

    // MARK: Session cookies

    private static let cookieDurations: ClosedRange<Int64> = 300...1_209_600

    /// `projects/{project}:queryAccounts`, and `projects/{project}:createSessionCookie`: a
    /// long-lived token for a server's own sessions.
    func callProjectMethod(_ context: RequestContext) async throws -> Response {
        let segment = context.parameters["project"] ?? ""
        let parts = segment.split(separator: ":", omittingEmptySubsequences: false)
        let project = parts.dropLast().joined(separator: ":")
        guard parts.count > 1, let method = parts.last,
            ["createSessionCookie", "queryAccounts"].contains(method)
        else { throw GoogleFailure.notFound }
        let body = try readAdministratorRequest(context, project: project).body
        guard method == "createSessionCookie" else { return try await queryAccounts(body) }
        let token = try body.idToken().orThrow(GoogleFailure.missingIDToken)
        let duration = try body.number("validDuration") ?? 0
        let seconds = duration == 0 ? Self.cookieDurations.upperBound : duration
        guard Self.cookieDurations.contains(seconds) else {
            throw GoogleFailure("INVALID_DURATION")
        }
        let user = try await authenticateBearer(token)
        let now = now.seconds
        let audience = user.payload["aud"]?.string ?? project
        let replaced: Set = ["iat", "exp", "iss"]
        let claims =
            user.payload.members.filter { !replaced.contains($0.name) } + [
                .init("iat", .int(now)), .init("exp", .int(now + seconds)),
                .init("iss", .string("https://session.firebase.google.com/\(audience)")),
            ]
        return .json(["sessionCookie": .string(try sign(.object(claims)))])
    }
}
