package import Apps
package import Backend
import Core
import FoundationEssentials
package import Simulator
package import Web

/// Creates the accounts and sessions of a seed, as the starting point of a test.
///
/// A session is created as usual: the app's own screens run against the embedded backend, so its
/// exchanges and mails exist as well.
package struct Seeder: Sendable {
    private let simulator: Simulator
    private let backend: EmbeddedBackend
    private let catalog: AppCatalog

    package init(simulator: Simulator, backend: EmbeddedBackend, catalog: AppCatalog) {
        self.simulator = simulator
        self.backend = backend
        self.catalog = catalog
    }

    /// The new account, and the session if the seed has one.
    package struct SeedResult: Sendable {
        /// Nil where the device itself is the account.
        package var email: String?
        package var password: String?
        package var userID: String?
        package var session: String?

        package init() {}
    }

    /// Seeds the app's embedded `contract`. `opensScreen` loads the device's
    /// screen before the tokens expire: otherwise opening it would make the call that detects the
    /// expiry.
    package func seed(
        _ seed: Seed, on instance: AppInstance, contract: String, opensScreen: Bool = false
    ) async throws -> SeedResult {
        var result = SeedResult()
        if hasUserAccounts(seed.app) {
            let added: EmbeddedBackend.AddedAccount
            do {
                added = try await backend.addAccount(
                    contract: contract, workspace: instance.workspace, draft: seed.person)
            } catch let problem as Problem {
                // Account fields are the seed's own, except those of the user.
                throw problem.prefixingPointers {
                    ["/state", "/accessTokenTTL"].contains($0) ? "/seed" : "/seed/user"
                }
            }
            result.email = added.account.email
            result.password = added.password
            result.userID = added.account.id
        } else {
            try requireNoUser(seed)
            if let seconds = seed.person.accessTokenTTL {
                try await backend.setAccessTokenTTL(
                    seconds, contract: contract, workspace: instance.workspace)
            }
        }
        guard seed.state.isSignedIn else { return result }
        let session = try await signIn(result, contract, on: instance)
        result.session = session.id
        result.userID = result.userID ?? session.userID
        if opensScreen {
            let screen = try await simulator.status(instance).screen
            _ = try await simulator.openScreen(instance, screen: screen)
        }
        switch seed.state {
        case .expired: try await simulator.expireAccessToken(instance, at: backend)
        case .revoked: try await revoke(result, in: instance.workspace)
        case .unverified, .verified, .locked, .signedIn: break
        }
        return result
    }

    /// Ends the session at the server; the device keeps its tokens.
    private func revoke(_ result: SeedResult, in workspace: String) async throws {
        guard let account = result.userID else { return }
        var change = AccountChange()
        change.shouldSignOut = true
        _ = try await backend.change(change, account: account, workspace: workspace)
    }

    private func signIn(_ result: SeedResult, _ contract: String, on instance: AppInstance)
        async throws -> Session
    {
        let email = result.email ?? ""
        let since = simulator.clocks.now(in: instance.workspace)
        return try await simulator.signIn(instance, email: email, password: result.password) {
            [mailbox = backend.mailbox] in
            try await mailbox.waitForMail(
                workspace: instance.workspace, to: email, app: contract, purpose: nil, since: since,
                timeout: .seconds(5))?.code
        }
    }

    /// A device account has neither an address nor an account state.
    private func requireNoUser(_ seed: Seed) throws(Problem) {
        var errors: [Problem.FieldError] = []
        if !seed.state.isSignedIn {
            errors.add(
                "/seed/state",
                "must be signedIn, expired or revoked: the app has no user accounts, "
                    + "the device is the account")
        }
        if seed.person.email != nil || seed.person.password != nil {
            errors.add("/seed/user", "is not supported by this app: the device is the account")
        }
        guard errors.isEmpty else { throw Problem(errors: errors) }
    }

    private func hasUserAccounts(_ app: String) -> Bool { catalog.app(app)?.asksForEmail ?? false }
}

extension Problem {
    /// The problem of a body that is itself the part at `prefix` of another.
    package func removingPointerPrefix(_ prefix: String) -> Problem {
        var problem = self
        problem.errors = errors.map {
            .init(
                pointer: $0.pointer.hasPrefix(prefix)
                    ? String($0.pointer.dropFirst(prefix.count)) : $0.pointer, detail: $0.detail)
        }
        if detail.hasPrefix(prefix) { problem.detail = String(detail.dropFirst(prefix.count)) }
        return problem
    }

    /// The problem of a part of the body, with its field pointers prefixed by `prefix`. A detail
    /// that begins with the pointer is adapted.
    package func prefixingPointers(_ prefix: (String) -> String) -> Problem {
        var problem = self
        problem.errors = errors.map { error in
            let pointer = prefix(error.pointer) + error.pointer
            if detail.hasPrefix(error.pointer + " ") {
                problem.detail = pointer + detail.dropFirst(error.pointer.count)
            }
            return .init(pointer: pointer, detail: error.detail)
        }
        return problem
    }
}

/// The user a leased workspace starts with.
package struct Seed: Sendable {
    package var app: String
    package var person: AccountDraft
    package var state: State

    /// How far the user has come.
    package enum State: String, Sendable, CaseIterable {
        case unverified, verified, locked, signedIn, expired, revoked

        /// The state of an account without a session.
        var accountState: AccountDraft.State? { .init(rawValue: rawValue) }

        /// Whether the device has a session, which may have ended.
        package var isSignedIn: Bool { accountState == nil }
    }

    /// A seed with only a state.
    package init(app: String, state: State) {
        self.app = app
        self.state = state
        person = AccountDraft(state: state.accountState ?? .verified)
    }
}

extension Simulator {
    /// Replaces the stored access token with an expired one; throws if there is none.
    ///
    /// The embedded backend signs the same claims again with an `exp` one second ago. For a real
    /// backend Foyer has no signing key: the token gets an `exp` in the past but keeps its old
    /// signature, which the token inspector reports as invalid. The backend rejects the token in
    /// either case.
    package func expireAccessToken(_ instance: AppInstance, at backend: EmbeddedBackend)
        async throws
    {
        guard let token = try await storedValue(instance, holding: "accessToken") else {
            throw Problem(
                status: 409, code: "no-token", title: "No access token",
                detail: "Sign in on the device first.")
        }
        let status = try await status(instance)
        let expired = status.app.backends.first { $0.id == status.backend }?.contract.flatMap {
            backend.makeExpired(token, contract: $0, workspace: instance.workspace)
        }
        guard let expired = expired ?? withPastExpiry(token, instance) else {
            throw Problem(
                status: 409, code: "opaque-token", title: "This access token has no expiry",
                detail: "The token is opaque. Edit or delete it in the storage instead.")
        }
        try await replaceAccessToken(
            instance, with: expired, reason: "Access token expired manually")
    }

    /// Sets `exp` to one second ago and keeps the old signature.
    private func withPastExpiry(_ token: String, _ instance: AppInstance) -> String? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            case .object(var members)? = try? JSON(parsing: bytes),
            let index = members.firstIndex(where: { $0.name == "exp" })
        else { return nil }
        let now = clocks.now(in: instance.workspace)
        members[index].value = .int(Int64(now.timeIntervalSince1970) - 1)
        let payload = Base64URL.encode(JSON.object(members).bytes)
        return "\(parts[0]).\(payload).\(parts[2])"
    }
}
