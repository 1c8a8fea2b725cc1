import Backend
import Templates
import Web

/// `/accounts` and `/accounts/{account}`: the embedded backend's accounts, and the administrator's
/// actions on them.
struct AccountsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.accounts, handler: list),
            Route(.get, Links.addAccount, handler: showAddForm),
            Route(.post, Links.addAccount, handler: add),
            Route(.get, Links.bulkAddAccounts, handler: showBulkAddForm),
            Route(.post, Links.bulkAddAccounts, handler: bulkAdd),
            Route(.get, Links.account, handler: show),
            Route(.get, Links.accountAction, handler: confirm),
            Route(.post, Links.accountAction, handler: act),
        ]
    }

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        let page = try await AccountsBuilder(
            services: services, workspace: try services.workspace(of: context),
            listing: try ListQuery(context, Links.accounts, filters: AccountsBuilder.filters)
        ).build()
        return try await services.respondWithList(to: context, page, "accounts")
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let page = try await AccountBuilder(
            services: services, account: try await services.account(of: context)
        ).build()
        return try await services.respond(
            to: context, page, "accounts/account",
            parts: [
                "state": "accounts/state", "actions": "accounts/actions",
                "sessions": "accounts/sessions", "details": "accounts/details",
            ])
    }

    // MARK: Actions

    @Sendable private func confirm(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let account = try await services.account(of: context)
        let action = try Self.act(context)
        return try await services.confirm(
            context, action.label, navItem: "accounts", confirmation(of: action, account))
    }

    @Sendable private func act(_ context: RequestContext) async throws -> Response {
        let account = try await services.account(of: context)
        let action = try Self.act(context)
        guard action != .delete else {
            try await services.backend.delete(account: account.id, workspace: account.workspace)
            return .redirect(to: Links.accounts)
        }
        do {
            _ = try await services.backend.change(
                AccountChange(action, try Form(context.request)), account: account.id,
                workspace: account.workspace)
        } catch let problem as Problem where problem.status == 422 {
            var confirmation = confirmation(of: action, account)
            confirmation.error = problem.formMessage
            // Keep the typed password, so that the user can correct it.
            confirmation.password = try Form(context.request)["password"] ?? confirmation.password
            return try await services.confirm(
                context, action.label, navItem: "accounts", status: 422, confirmation)
        }
        return .redirect(to: Links.account(account.id))
    }

    private func confirmation(
        of action: AdminAction, _ account: EmbeddedBackend.AccountDetails
    ) -> ConfirmModel {
        ConfirmModel(
            action: Links.accountAction(account.id, action.rawValue),
            question: action.confirmationQuestion(account.label),
            consequence: services.backend.availability(
                action, contract: account.contract, isDevice: account.deviceID != nil
            ).explanation, confirmLabel: action.label, backURL: Links.account(account.id),
            isDestructive: action.isDestructive,
            password: action == .setPassword ? services.backend.generatedPassword : nil,
            durations: action == .lock ? .init(choices: AccountChange.lockDurationChoices) : nil)
    }

    private static func act(_ context: RequestContext) throws(Problem) -> AdminAction {
        let word = context.parameters["act"] ?? ""
        guard let action = AdminAction(rawValue: word) else {
            throw Problem(
                status: 404, code: "unknown-action", title: "Unknown action",
                detail: "Accounts have no action \(word.prefix(40)).")
        }
        return action
    }
}

extension AccountChange {
    /// The change that a form requests.
    fileprivate init(_ action: AdminAction, _ form: Form) {
        self.init()
        switch action {
        case .verify: isVerified = true
        case .unverify: isVerified = false
        case .disable: isDisabled = true
        case .enable: isDisabled = false
        case .lock:
            lock = .locked(seconds: form["seconds"].flatMap { Int($0) } ?? Self.defaultLockSeconds)
        case .unlock: lock = .unlocked
        case .setPassword: password = form["password"] ?? ""
        case .signOut: shouldSignOut = true
        case .delete: break
        }
    }

    /// The lock durations to choose from.
    fileprivate static var lockDurationChoices: [ChoiceModel] {
        [60, defaultLockSeconds, 3_600, 86_400].map { seconds in
            .init(
                value: String(seconds), label: Format.duration(Double(seconds)),
                chosen: seconds == defaultLockSeconds)
        }
    }
}

extension Problem {
    /// The message to show in the submitted form.
    var formMessage: String {
        guard let field = errors.first else { return detail }
        let name = field.pointer.dropFirst()
        return field.detail.hasSuffix(".")
            ? field.detail : "\(String(name).capitalizedFirst) \(field.detail)."
    }
}
