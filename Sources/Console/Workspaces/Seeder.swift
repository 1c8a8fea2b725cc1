import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// Puts the people and sessions of a seed where a test wants to begin.
///
/// A session comes about as any other does: the app's own screens are played
/// against the embedded backend, so its exchanges and mails are there to be
/// looked at.
struct Seeder: Sendable {
    let services: Services

    /// Who was made, and the session, if the seed has one.
    struct SeedResult: Sendable {
        /// Nil where the device itself is the account.
        var email: String?
        var password: String?
        var userID: String?
        var session: String?
    }

    /// On `contract`; nil for the one the app talks to when nobody chose
    /// otherwise. Where the device is looked at, its screen has what it loads
    /// before the tokens die: else the looking would be the call that finds
    /// out, and nothing were left to see.
    func seed(
        _ seed: Seed, on instance: AppInstance, contract chosen: String? = nil,
        opensScreen: Bool = false
    ) async throws -> SeedResult {
        let contract = if let chosen { chosen } else { try contract(of: seed) }
        var planted = SeedResult()
        if hasUserAccounts(seed.app) {
            let added: EmbeddedBackend.AddedAccount
            do {
                added = try await services.backend.addAccount(
                    contract: contract, workspace: instance.workspace, draft: seed.person)
            } catch let problem as Problem {
                // What is the account's is the seed's own, but for the person.
                throw problem.prefixingPointers {
                    ["/state", "/accessTokenTTL"].contains($0) ? "/seed" : "/seed/user"
                }
            }
            planted.email = added.account.email
            planted.password = added.password
            planted.userID = added.account.id
        } else {
            try requireNoUser(seed)
            if let seconds = seed.person.accessTokenTTL {
                try await services.backend.setAccessTokenTTL(
                    seconds, contract: contract, workspace: instance.workspace)
            }
        }
        guard seed.state.isSignedIn else { return planted }
        let session = try await signIn(planted, contract, on: instance)
        planted.session = session.id
        planted.userID = planted.userID ?? session.userID
        if opensScreen {
            let screen = try await services.simulator.status(instance).screen
            _ = try await services.simulator.openScreen(instance, screen: screen)
        }
        switch seed.state {
        case .expired: try await TokenExpirer(services: services).expire(instance)
        case .revoked: try await revoke(planted, in: instance.workspace)
        case .unverified, .verified, .locked, .signedIn: break
        }
        return planted
    }

    /// The server ends what the device goes on holding.
    private func revoke(_ planted: SeedResult, in workspace: String) async throws {
        guard let account = planted.userID else { return }
        var change = AccountChange()
        change.shouldSignOut = true
        _ = try await services.backend.change(change, account: account, workspace: workspace)
    }

    private func signIn(_ planted: SeedResult, _ contract: String, on instance: AppInstance)
        async throws
        -> Session
    {
        let email = planted.email ?? ""
        let since = services.now(in: instance.workspace)
        return try await services.simulator.signIn(
            instance, email: email, password: planted.password
        ) {
            [mailbox = services.backend.mailbox] in
            try await mailbox.waitForMail(
                workspace: instance.workspace, to: email, app: contract, purpose: nil, since: since,
                timeout: .seconds(5))?.code
        }
    }

    private func contract(of seed: Seed) throws(Problem) -> String {
        do { return try services.requireContract(seed.app) } catch {
            throw error.prefixingPointers { _ in "/seed" }
        }
    }

    /// A device's own account has neither an address nor a state of its own.
    private func requireNoUser(_ seed: Seed) throws(Problem) {
        var errors: [Problem.FieldError] = []
        if !seed.state.isSignedIn {
            errors.append(
                .init(
                    pointer: "/seed/state",
                    detail: "can be signedIn, expired or revoked: the app has "
                        + "no people, the device is the account"))
        }
        if seed.person.email != nil || seed.person.password != nil {
            errors.append(
                .init(
                    pointer: "/seed/user",
                    detail: "is unknown to this app: the device is the account"))
        }
        guard errors.isEmpty else { throw Problem(errors: errors) }
    }

    private func hasUserAccounts(_ app: String) -> Bool {
        services.appCatalog.app(app)?.asksForEmail ?? false
    }
}

extension Problem {
    /// The same, of a part of the body: `place` tells of a field where it
    /// stands. A sentence that names the field names it there.
    fileprivate func prefixingPointers(_ place: (String) -> String) -> Problem {
        var problem = self
        problem.errors = errors.map { error in
            let pointer = place(error.pointer) + error.pointer
            if detail.hasPrefix(error.pointer + " ") {
                problem.detail = pointer + detail.dropFirst(error.pointer.count)
            }
            return .init(pointer: pointer, detail: error.detail)
        }
        return problem
    }
}
