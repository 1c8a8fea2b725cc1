import Backend
import Web

/// `/accounts` and `/accounts/{account}`: the embedded backend's accounts, and the administrator's
/// actions on them.
struct AccountsPages: Sendable {
    typealias Account = EmbeddedBackend.AccountDetails

    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.accounts, handler: list),
            Route(.get, Links.addAccount) { try await showForm($0, "Add account", "accounts/add") },
            Route(.post, Links.addAccount, handler: add),
            Route(.get, Links.bulkAddAccounts) {
                try await showForm($0, "Bulk add accounts", "accounts/bulkadd")
            },
            Route(.post, Links.bulkAddAccounts, handler: bulkAdd),
            .page(Links.account, handler: show),
            .page(Links.accountAction, handler: confirm),
            Route(.post, Links.accountAction, handler: act),
        ] + identityRoutes
    }

    // MARK: Actions

    @Sendable private func confirm(_ context: RequestContext) async throws -> Response {
        let account = try await services.account(of: context)
        let action = try Self.action(of: context)
        return try await services.confirm(
            context, action.label, navItem: "accounts", confirmation(of: action, account))
    }

    @Sendable private func act(_ context: RequestContext) async throws -> Response {
        let account = try await services.account(of: context)
        let action = try Self.action(of: context)
        guard action != .delete else {
            try await services.backend.delete(account: account.id, workspace: account.workspace)
            return .redirect(to: Links.accounts)
        }
        let form = try Form(context.request)
        do {
            _ = try await services.backend.change(
                AccountChange(action, form), account: account.id, workspace: account.workspace)
        } catch let problem as Problem where problem.status == 422 {
            var confirmation = confirmation(of: action, account)
            confirmation.error = problem.formMessage
            // Keep the typed password, so that the user can correct it.
            confirmation.password = form["password"] ?? confirmation.password
            return try await services.confirm(
                context, action.label, navItem: "accounts", status: 422, confirmation)
        }
        return .redirect(to: Links.account(account.id))
    }

    private func confirmation(of action: AdminAction, _ account: Account) -> ConfirmModel {
        ConfirmModel(
            action: Links.accountAction(account.id, action.rawValue),
            question: action.confirmationQuestion(account.label),
            consequence: availability(of: action, account).explanation,
            confirmLabel: action.label, backURL: Links.account(account.id),
            isDestructive: action.isDestructive,
            password: action == .setPassword ? services.backend.generatedPassword : nil,
            durations: action == .lock ? AccountChange.lockDurationChoices : [])
    }

    func availability(of action: AdminAction, _ account: Account) -> AdminAction.Availability {
        services.backend.availability(
            action, contract: account.contract, isDevice: account.deviceID != nil)
    }

    private static func action(of context: RequestContext) throws(Problem) -> AdminAction {
        let name = context.parameters["act"] ?? ""
        guard let action = AdminAction(rawValue: name) else {
            throw .unknown("action", "Accounts have no action \(name.prefix(40)).")
        }
        return action
    }
}

extension AdminAction {
    /// The button's label: `Verify`, `Set password`.
    var label: String {
        switch self {
        case .unverify: "Mark unverified"
        case .setPassword: "Set password"
        case .signOut: "Sign out everywhere"
        default: rawValue.capitalizedFirst
        }
    }

    /// `Lock nora@example.com?`
    func confirmationQuestion(_ who: String) -> String {
        switch self {
        case .unverify: "Mark \(who) as unverified?"
        case .setPassword: "Set a new password for \(who)?"
        case .signOut: "Sign \(who) out everywhere?"
        default: "\(label) \(who)?"
        }
    }

    /// Whether the action ends something that cannot be restored.
    var isDestructive: Bool { [.signOut, .delete, .disable].contains(self) }

    /// The actions that apply to the account's current state, in display order.
    static func applicable(to account: EmbeddedBackend.AccountDetails) -> [AdminAction] {
        [
            account.emailVerifiedAt == nil ? .verify : .unverify,
            account.disabledAt == nil ? .disable : .enable,
            account.state == .locked ? .unlock : .lock, .setPassword, .signOut, .delete,
        ]
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
        return field.detail.hasSuffix(".")
            ? field.detail : "\(field.pointer.dropFirst()) \(field.detail).".capitalizedFirst
    }
}
