import Backend
import FoundationEssentials
import Inspection
import Templates
import Web

/// An account's identities at providers, its second factors and its metadata: read, removed and
/// replaced as an administrator (`accounts/identities`).
extension AccountsPages {
    var identityRoutes: [Route] {
        [
            .page(Links.removeFactor, handler: confirmFactorRemoval),
            Route(.post, Links.removeFactor, handler: removeFactor),
            .page(Links.removeIdentity, handler: confirmIdentityRemoval),
            Route(.post, Links.removeIdentity, handler: removeIdentity),
            .page(Links.accountMetadata, handler: showMetadata),
            Route(.post, Links.accountMetadata, handler: saveMetadata),
        ]
    }

    func model(of identity: Identity, _ account: Account, _ now: Date) -> TemplateModel {
        let data = (try? JSON(parsing: identity.data)) ?? .null
        return [
            "id": identity.id, "provider": identity.provider,
            "name": data["email"]?.string?.nonEmpty ?? data["name"]?.string ?? identity.subject,
            "subject": identity.subject,
            "lastSignInAt": identity.lastSignInAt?.date.iso8601,
            "lastSignInAgo": identity.lastSignInAt.map { Format.ago($0.date, now) },
            "removeURL": Links.removeIdentity(account.id, identity.id),
        ]
    }

    func model(of factor: Factor, _ account: Account, _ now: Date) -> TemplateModel {
        [
            "id": factor.id, "name": factor.displayName,
            "kind": factor.kind == .totp ? "Authenticator app" : "Text message",
            "phone": factor.phone, "code": account.authenticatorCodes[factor.id],
            "tone": factor.verifiedAt == nil ? "warn" : "ok",
            "status": factor.verifiedAt == nil ? "Not verified" : "Verified",
            "createdAt": factor.createdAt.date.iso8601,
            "createdAgo": Format.ago(factor.createdAt.date, now),
            "removeURL": Links.removeFactor(account.id, factor.id),
        ]
    }

    func model(of metadata: AccountMetadata, _ account: Account) -> TemplateModel {
        [
            "name": metadata.name, "text": metadata.text, "json": Self.text(of: metadata),
            "editURL": Links.accountMetadata(account.id, metadata.name),
        ]
    }

    private static func text(of metadata: AccountMetadata) -> String {
        let text = JSON.object(metadata.members).description
        return IndentedJSON.text(text) ?? text
    }

    // MARK: Removal

    @Sendable private func confirmFactorRemoval(_ context: RequestContext) async throws -> Response
    {
        let (account, factor) = try await self.factor(of: context)
        return try await services.confirm(
            context, "Remove factor", navItem: "accounts",
            ConfirmModel(
                action: Links.removeFactor(account.id, factor.id),
                question: "Remove \(factor.displayName) from \(account.label)?",
                consequence: "The account can then sign in without its codes, as after an "
                    + "administrator's recovery of a lost phone.",
                confirmLabel: "Remove factor", backURL: Links.account(account.id)))
    }

    @Sendable private func removeFactor(_ context: RequestContext) async throws -> Response {
        let (account, factor) = try await self.factor(of: context)
        return try await change(account) { $0.removedFactors = [factor.id] }
    }

    @Sendable private func confirmIdentityRemoval(_ context: RequestContext) async throws
        -> Response
    {
        let (account, identity) = try await self.identity(of: context)
        return try await services.confirm(
            context, "Remove identity", navItem: "accounts",
            ConfirmModel(
                action: Links.removeIdentity(account.id, identity.id),
                question: "Remove the identity at \(identity.provider) from \(account.label)?",
                consequence: "Signing in there no longer leads to this account.",
                confirmLabel: "Remove identity", backURL: Links.account(account.id)))
    }

    @Sendable private func removeIdentity(_ context: RequestContext) async throws -> Response {
        let (account, identity) = try await self.identity(of: context)
        return try await change(account) { $0.removedIdentities = [identity.id] }
    }

    private func change(_ account: Account, _ edit: (inout AccountChange) -> Void) async throws
        -> Response
    {
        var change = AccountChange()
        edit(&change)
        _ = try await services.backend.change(
            change, account: account.id, workspace: account.workspace)
        return .redirect(to: Links.account(account.id))
    }

    private func factor(of context: RequestContext) async throws -> (Account, Factor) {
        let account = try await services.account(of: context)
        guard let factor = account.factors.first(where: { $0.id == context.parameters["factor"] })
        else { throw Problem.unknown("factor", "The account has no such factor any more.") }
        return (account, factor)
    }

    private func identity(of context: RequestContext) async throws -> (Account, Identity) {
        let account = try await services.account(of: context)
        guard
            let identity = account.identities.first(where: {
                $0.id == context.parameters["identity"]
            })
        else { throw Problem.unknown("identity", "The account has no such identity any more.") }
        return (account, identity)
    }

    // MARK: Metadata

    @Sendable private func showMetadata(_ context: RequestContext) async throws -> Response {
        let (account, metadata) = try await self.metadata(of: context)
        return try await metadataForm(
            context, account, metadata, text: Self.text(of: metadata), error: nil)
    }

    /// Replaces the object with the text of the form, which must be a JSON object.
    @Sendable private func saveMetadata(_ context: RequestContext) async throws -> Response {
        let (account, metadata) = try await self.metadata(of: context)
        let text = try Form(context.request)["json"] ?? ""
        do {
            guard case .object(let members) = try JSON(parsing: Array(text.utf8)) else {
                return try await metadataForm(
                    context, account, metadata, text: text, error: "Enter a JSON object: { … }.")
            }
            return try await change(account) { $0.metadata = [metadata.name: members] }
        } catch let problem as Problem where problem.status == 422 {
            return try await metadataForm(
                context, account, metadata, text: text, error: problem.formMessage)
        } catch let error as JSONReader.Failure {
            return try await metadataForm(
                context, account, metadata, text: text, error: "This is not JSON: \(error).")
        }
    }

    private func metadata(of context: RequestContext) async throws -> (Account, AccountMetadata) {
        let account = try await services.account(of: context)
        let name = context.parameters["name"] ?? ""
        guard let metadata = account.metadata.first(where: { $0.name == name }) else {
            throw Problem.unknown("metadata", "The account has no metadata \(name.prefix(40)).")
        }
        return (account, metadata)
    }

    private func metadataForm(
        _ context: RequestContext, _ account: Account, _ metadata: AccountMetadata, text: String,
        error: String?
    ) async throws -> Response {
        let page = Page(
            title: metadata.name, navItem: "accounts", url: Links.account(account.id),
            model: [
                "action": Links.accountMetadata(account.id, metadata.name), "name": metadata.name,
                "user": account.label, "text": metadata.text, "json": text, "error": error,
                "backURL": Links.account(account.id),
            ])
        return try await services.respond(
            to: context, page, "accounts/metadatapage", parts: ["dialog": "accounts/metadata"],
            status: error == nil ? 200 : 422)
    }
}

extension Factor {
    /// Its name, or the number of a phone without one.
    fileprivate var displayName: String { name.nonEmpty ?? phone ?? "the authenticator app" }
}
