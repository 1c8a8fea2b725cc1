import Backend
import Web

/// The pages behind the mailed links.
extension ClarityContract {
    /// GET /emulator/action?mode=…&oobCode=…
    ///
    /// A HEAD request, which link scanners send, shows nothing and does not use the link up. A
    /// browser gets a page, any other client the emulator's JSON.
    func showEmailAction(_ context: RequestContext) async throws -> Response {
        let query = context.target.query.firstValues
        let isPreview = context.request.method == .head
        guard isPreview || context.request.acceptsHTML else { return try await applyAction(query) }
        let code = query["oobCode"] ?? ""
        let continueURL = Self.allowedContinueURL(query["continueUrl"])
        switch ClarityLink(rawValue: query["mode"] ?? "") {
        case .verify:
            let (_, state, _) = try await followVerificationLink(code, isPreview: isPreview)
            if state == .completed, let continueURL { return Self.redirect(to: continueURL) }
            return Self.page(.verify, state, continueURL: continueURL)
        case .reset:
            let action = try await findActionCode(code)
            guard let action, action.link == .reset, action.state == .valid else {
                return Self.page(.reset, action?.link == .reset ? action?.state : nil)
            }
            return Self.newPasswordForm(code: code, continueURL: continueURL)
        case .changeEmail:
            return try await showEmailChange(code, .changeEmail, isPreview, continueURL)
        case .recoverEmail:
            return try await showEmailChange(code, .recoverEmail, isPreview, continueURL)
        case .signIn:
            guard let continueURL else { return Self.missingAppPage }
            return Self.redirect(to: Self.signInURL(continueURL, query))
        case nil: return Self.page(.verify, .unknown)
        }
    }

    /// Changes or restores an address, and shows the result.
    private func showEmailChange(
        _ code: String, _ link: ClarityLink, _ isPreview: Bool, _ continueURL: String?
    ) async throws -> Response {
        let action = try await findActionCode(code)
        guard let action, action.link == link, action.state == .valid else {
            return Self.page(link, action?.link == link ? action?.state : nil)
        }
        guard !isPreview else { return Self.page(link, .valid) }
        do { _ = try await applyActionCode(code) } catch let failure as GoogleFailure {
            return failure == .emailExists ? Self.emailTakenPage : Self.page(link, .unknown)
        }
        if let continueURL { return Self.redirect(to: continueURL) }
        return Self.page(link, .completed)
    }

    /// The app's address with what its SDK needs to sign in.
    private static func signInURL(_ url: String, _ query: [String: String]) -> String {
        let parameters = ["mode", "lang", "oobCode", "apiKey"].compactMap { name in
            query[name].map { (name, $0) }
        }
        let fragment = url.firstIndex(of: "#") ?? url.endIndex
        let separator = url[..<fragment].contains("?") ? "&" : "?"
        return url[..<fragment] + separator + Form.encode(parameters) + url[fragment...]
    }

    // MARK: Clients other than browsers

    /// Follows a link as the emulator does it for clients that show no pages.
    private func applyAction(_ query: [String: String]) async throws -> Response {
        guard query["apiKey"]?.nonEmpty != nil else {
            return Self.actionError(
                "missing apiKey query parameter",
                "Please modify the URL to specify an apiKey, such as ...&apiKey=YOUR_API_KEY")
        }
        guard let code = query["oobCode"]?.nonEmpty else {
            return Self.actionError(
                "missing oobCode query parameter",
                "Please modify the URL to specify an oobCode, such as ...&oobCode=YOUR_OOB_CODE")
        }
        let continueURL = Self.allowedContinueURL(query["continueUrl"])
        let link = ClarityLink(rawValue: query["mode"] ?? "")
        switch link {
        case .verify, .changeEmail, .recoverEmail:
            return try await applyEmailAction(code, link ?? .verify, continueURL)
        case .reset: return try await applyReset(code, query["newPassword"], continueURL)
        case .signIn:
            guard let continueURL else {
                return Self.actionError(
                    "Missing continueUrl query parameter",
                    "To sign in, append &continueUrl=YOUR_APP_URL to the link.")
            }
            return Self.redirect(to: Self.signInURL(continueURL, query))
        case nil: return .json(["authEmulator": ["error": "Invalid mode"]], status: 400)
        }
    }

    private func applyEmailAction(_ code: String, _ link: ClarityLink, _ continueURL: String?)
        async throws -> Response
    {
        let action = try await findActionCode(code)
        if link == .recoverEmail, action?.link != link {
            return Self.actionError(
                "Requested mode does not match the OOB code provided.", Self.recoveryHint)
        }
        let changed: Account
        do {
            guard action?.link == link else { throw GoogleFailure.invalidCode }
            changed = try await applyActionCode(code).account
        } catch let failure as GoogleFailure
            where failure == .invalidCode || failure == .expiredCode
        {
            let (task, hint) =
                switch link {
                case .changeEmail: ("change your email", "Try changing your email again.")
                case .recoverEmail: ("revert your email", Self.recoveryHint)
                default: ("verify your email", "Try verifying your email again.")
                }
            return Self.actionError(
                "Your request to \(task) has expired or the link has already been used.", hint)
        }
        if link != .recoverEmail, let continueURL { return Self.redirect(to: continueURL) }
        let (done, member) =
            switch link {
            case .changeEmail: ("changed", "newEmail")
            case .recoverEmail: ("reset", "email")
            default: ("verified", "email")
            }
        return .json([
            "authEmulator": .object([
                .init("success", "The email has been successfully \(done)."),
                .init(member, JSON(changed.email)),
            ])
        ])
    }

    private static let recoveryHint =
        "If you're trying to test the reverting email flow, try changing the email again to "
        + "generate a new link."

    private func applyReset(_ code: String, _ password: String?, _ continueURL: String?)
        async throws -> Response
    {
        let expired = Self.actionError(
            "Your request to reset your password has expired or the link has already been used.",
            "Try resetting your password again.")
        guard let action = try await findActionCode(code), action.link == .reset,
            action.state == .valid, action.account?.disabledAt == nil
        else { return expired }
        let placeholder = "NEW_PASSWORD_HERE"
        let url = ClarityLink.reset.url(
            root: rootURL, code: code, apiKey: apiKey, continueURL: continueURL)
        guard let password = password?.nonEmpty else {
            return Self.actionError(
                "missing newPassword query parameter",
                "To reset the password for \(action.email), send an HTTP GET request to the "
                    + "following URL.",
                [
                    .init(
                        "instructions2",
                        "You may use a web browser or any HTTP client, such as curl."),
                    .init("urlTemplate", "\(url)&newPassword=\(placeholder)"),
                ])
        }
        guard password != placeholder else {
            return Self.actionError(
                "newPassword must be something other than '\(placeholder)'",
                "The string '\(placeholder)' is just a placeholder.",
                [
                    .init(
                        "instructions2",
                        "Please change the URL to specify a new password instead."),
                    .init("urlTemplate", "\(url)&newPassword=\(placeholder)"),
                ])
        }
        try Self.check(newPassword: password)
        guard try await applyPasswordReset(by: code, to: password) == .completed else {
            return expired
        }
        if let continueURL { return Self.redirect(to: continueURL) }
        return .json([
            "authEmulator": [
                "success": "The password has been successfully updated.",
                "email": .string(action.email),
            ]
        ])
    }

    private static func actionError(
        _ error: String, _ instructions: String, _ more: [JSON.Member] = []
    ) -> Response {
        .json(
            [
                "authEmulator": .object(
                    [
                        .init("error", .string(error)),
                        .init("instructions", .string(instructions)),
                    ] + more)
            ], status: 400)
    }

    // MARK: Pages

    /// POST /emulator/action: submits the form for a new password.
    func submitEmailAction(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let code = form["oobCode"] ?? ""
        let password = form["newPassword"] ?? ""
        let continueURL = Self.allowedContinueURL(form["continueUrl"])
        let action = try await findActionCode(code)
        let isReset = action?.link == .reset
        guard isReset, action?.state == .valid, action?.account?.disabledAt == nil else {
            return Self.page(.reset, isReset && action?.state != .valid ? action?.state : nil)
        }
        if let error = Self.passwordError(for: password) {
            return Self.newPasswordForm(code: code, continueURL: continueURL, error: error)
        }
        let finalState = try await applyPasswordReset(by: code, to: password)
        return Self.page(.reset, finalState, continueURL: continueURL)
    }

    /// The URL the page may continue to. It is checked again, because the link may have been
    /// altered.
    private static func allowedContinueURL(_ url: String?) -> String? {
        url.flatMap { ClarityLink.canContinue(to: $0) ? $0 : nil }
    }

    private static let pages = LinkPages(
        appName: "CLARITY Pulse",
        resetRetryText: "For a new one, ask the app to reset your password again.",
        passwordRule:
            "At least 8 characters, with an uppercase letter, a lowercase letter and a number.",
        verifiedText: "Thank you. Go back to the app and tap I've Verified My Email.",
        alreadyVerifiedText: "This link was used before: your email is verified.",
        verificationRetryText: "For a new one, open the app and choose Resend Email.")

    private static let changePages = LinkPages(
        appName: "CLARITY Pulse",
        resetRetryText: "For a new one, open the app and change your email again.",
        passwordRule: "", usedText: "Your email was changed with it.")

    /// The result of a link; nil as its state if there is no such link.
    private static func page(_ link: ClarityLink, _ state: LinkState?, continueURL: String? = nil)
        -> Response
    {
        let state = state ?? .unknown
        var page =
            switch (link, state) {
            case (.reset, _): pages.passwordReset(state)
            case (.changeEmail, .completed):
                changePages.page(
                    .good, "Email changed",
                    ["Go back to the app and log in with your new email address."])
            case (.recoverEmail, .completed):
                changePages.page(
                    .good, "Email restored",
                    ["Go back to the app, log in with this address and change your password."])
            case (.changeEmail, .valid), (.recoverEmail, .valid):
                changePages.page(.prompt, "Change your email", ["Open this link to change it."])
            case (.changeEmail, _), (.recoverEmail, _): changePages.passwordReset(state)
            default: pages.verification(state)
            }
        if state == .completed || state == .alreadyVerified { page.continueURL = continueURL }
        return page.response
    }

    private static var missingAppPage: Response {
        pages.page(
            .bad, "This link leads to no app",
            ["It has no address to continue to. Open it on the device with the app."], status: 400
        ).response
    }

    private static var emailTakenPage: Response {
        changePages.page(
            .bad, "Email already in use",
            ["Another account has this email address now, so nothing was changed."], status: 409
        ).response
    }

    /// The form for a new password, with the `code` of the link.
    private static func newPasswordForm(code: String, continueURL: String?, error: String? = nil)
        -> Response
    {
        var hiddenFields = [(name: "oobCode", value: code)]
        if let url = continueURL { hiddenFields.append(("continueUrl", url)) }
        return pages.newPasswordForm(
            action: "action", hiddenFields: hiddenFields, field: "newPassword", error: error
        ).response
    }

    /// Why a new password is invalid, or nil. The rules are those of the app's own forms, which
    /// this page replaces.
    private static func passwordError(for password: String) -> String? {
        if password.utf16.count < 8 { return "Password must be at least 8 characters long." }
        for (characters, name) in [
            (UInt8(ascii: "A")...UInt8(ascii: "Z"), "uppercase letter"),
            (UInt8(ascii: "a")...UInt8(ascii: "z"), "lowercase letter"),
            (UInt8(ascii: "0")...UInt8(ascii: "9"), "number"),
        ] where !password.utf8.contains(where: characters.contains) {
            return "Password must contain at least one \(name)"
        }
        if password.utf8.count > JSONBody.passwordLimit {
            return "Password may contain at most \(JSONBody.passwordLimit) bytes"
        }
        return nil
    }
}

extension Request {
    /// Whether the client asks for a page, as browsers do.
    var acceptsHTML: Bool { headers["Accept"]?.contains("text/html") ?? false }
}
