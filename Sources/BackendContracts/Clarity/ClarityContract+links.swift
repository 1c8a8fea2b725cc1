import Backend
import SQLite
import Web

/// The pages behind the mailed links.
extension ClarityContract {
    /// GET /emulator/action?mode=…&oobCode=…
    ///
    /// A HEAD request, which link scanners send, shows nothing and does not use the link up.
    @Sendable func showEmailAction(_ context: RequestContext) async throws -> Response {
        let query = Dictionary(context.target.query.map { ($0.name, $0.value) }) { first, _ in first
        }
        let realm = realm(context)
        let code = query["oobCode"] ?? ""
        switch ClarityLink(rawValue: query["mode"] ?? "") {
        case .verify:
            let (_, state, _) = try await followVerificationLink(
                code, in: realm, isPreview: context.request.method == .head)
            let continueURL = Self.allowedContinueURL(query["continueUrl"])
            if state == .completed, let continueURL {
                return Response(
                    status: 303,
                    headers: ["Location": continueURL, "Referrer-Policy": "no-referrer"])
            }
            return ClarityPages.page(.verify, state, continueURL: continueURL).response
        case .reset:
            let (link, state, _) = try await findActionCode(code, in: realm)
            guard link == .reset, state == .valid else {
                return ClarityPages.page(.reset, link == .reset ? state : .unknown).response
            }
            return ClarityPages.newPasswordForm(
                code: code, continueURL: Self.allowedContinueURL(query["continueUrl"])
            )
            .response
        case nil: return ClarityPages.page(.verify, .unknown).response
        }
    }

    /// POST /emulator/action: submits the form for a new password.
    @Sendable func submitEmailAction(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let code = form["oobCode"] ?? ""
        let password = form["newPassword"] ?? ""
        let continueURL = Self.allowedContinueURL(form["continueUrl"])
        let realm = realm(context)
        let (link, state, account) = try await findActionCode(code, in: realm)
        guard link == .reset, state == .valid, account?.disabledAt == nil else {
            return ClarityPages.page(.reset, link == .reset && state != .valid ? state : .unknown)
                .response
        }
        if let error = Self.passwordError(for: password) {
            return ClarityPages.newPasswordForm(code: code, continueURL: continueURL, error: error)
                .response
        }
        let finalState = try await applyPasswordReset(by: code, to: password, in: realm)
        return ClarityPages.page(.reset, finalState, continueURL: continueURL).response
    }

    /// The URL the page may continue to. It is checked again, because the link may have been
    /// altered.
    private static func allowedContinueURL(_ url: String?) -> String? {
        url.flatMap { ClarityLink.canContinue(to: $0) ? $0 : nil }
    }

    /// The rule as shown on the page.
    static let passwordRule =
        "At least 8 characters, with an uppercase letter, a lowercase letter and a number."

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
