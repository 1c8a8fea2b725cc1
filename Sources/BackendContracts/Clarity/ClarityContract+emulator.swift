import Backend
import Crypto
import Web

/// The project's own settings, and the helpers of Google's emulator.
extension ClarityContract {
    static let rootIndex = [
        JSON.Member(
            "authEmulator",
            [
                "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite",
                "apiSpec": "/emulator/openapi.json",
            ])
    ]

    var emulatorRoutes: [Route] {
        let project = "/emulator/v1/projects/{project}"
        let v2Project = "\(Self.identityToolkitV2Path)/projects/{project}"
        return [
            route(.get, "/emulator/openapi.json", Self.openAPIDocument),
            route(.get, "\(project)/oobCodes", Self.listActionCodes),
            route(.get, "\(project)/verificationCodes", Self.listPhoneCodes),
            route(.get, "\(project)/config", Self.showConfiguration),
            route(.patch, "\(project)/config", Self.changeConfiguration),
            route(.delete, "\(project)/accounts", Self.deleteAllAccounts),
            route(.get, "\(v2Project)/config", Self.showProjectConfiguration, [.apiKey]),
            route(.patch, "\(v2Project)/config", Self.changeProjectConfiguration, [.apiKey]),
        ] + unsupportedRoutes(v2Project)
    }

    /// GET /emulator/openapi.json.
    func openAPIDocument(_ context: RequestContext) async throws -> Response {
        .json(openAPIDocument)
    }

    /// What this backend does not have, with an error that says so, mostly like the emulator.
    private func unsupportedRoutes(_ project: String) -> [Route] {
        /// `name` is Google's id of the operation.
        func unsupported(_ method: Method, _ path: String, _ name: String) -> Route {
            route(
                method, path,
                { contract in
                    { context in
                        _ = try contract.authorizeRequest(context)
                        throw GoogleFailure.notImplemented(
                            "\(name) is not implemented in the Auth Emulator.")
                    }
                }, [.apiKey])
        }
        let v1 = Self.identityToolkitPath
        let v2 = Self.identityToolkitV2Path
        let lists = [
            "tenants", "oauthIdpConfigs", "inboundSamlConfigs", "defaultSupportedIdpConfigs",
        ].flatMap { name in
            let id = "identitytoolkit.projects.\(name)"
            return [
                unsupported(.get, "\(project)/\(name)", "\(id).list"),
                unsupported(.post, "\(project)/\(name)", "\(id).create"),
                unsupported(.get, "\(project)/\(name)/{item}", "\(id).get"),
                unsupported(.patch, "\(project)/\(name)/{item}", "\(id).patch"),
                unsupported(.delete, "\(project)/\(name)/{item}", "\(id).delete"),
            ]
        }
        let tenant = "\(v1)/projects/{project}/tenants/{tenant}"
        let tenantID = "identitytoolkit.projects.tenants"
        let tenantMethods = [
            "", ":lookup", ":update", ":delete", ":sendOobCode", ":query", ":batchCreate",
            ":batchDelete",
        ].map { name in
            unsupported(
                .post, "\(tenant)/accounts\(name)",
                "\(tenantID).accounts" + name.replacing(":", with: "."))
        }
        let accountMethods = [
            (v1, "issueSamlResponse"), (v1, "signInWithGameCenter"), (v1, "verifyIosClient"),
            (v2, "revokeToken"),
        ].map { version, name in
            unsupported(
                .post, "\(version)/accounts:\(name)", "identitytoolkit.accounts.\(name)")
        }
        let passkeyMethods = ["passkeyEnrollment", "passkeySignIn"].flatMap { name in
            ["start", "finalize"].map { step in
                unsupported(
                    .post, "\(v2)/accounts/\(name):\(step)",
                    "identitytoolkit.accounts.\(name).\(step)")
            }
        }
        return lists + tenantMethods + accountMethods + passkeyMethods + [
            unsupported(.get, "\(tenant)/accounts:batchGet", "\(tenantID).accounts.batchGet"),
            unsupported(.post, tenant, "\(tenantID).createSessionCookie"),
            unsupported(
                .post, "\(project)/identityPlatform:initializeAuth",
                "identitytoolkit.projects.identityPlatform.initializeAuth"),
            unsupported(
                .get, "\(v2)/defaultSupportedIdps", "identitytoolkit.defaultSupportedIdps.list"),
            unsupported(.get, "\(v2)/passwordPolicy", "identitytoolkit.getPasswordPolicy"),
            unsupported(.get, "\(v2)/recaptchaConfig", "identitytoolkit.getRecaptchaConfig"),
            unsupported(.post, "\(Self.relyingPartyPath)/signOutUser", "signOutUser"),
        ]
    }

    // MARK: Codes

    /// The codes of links that were not used yet, oldest first.
    func listActionCodes(_ context: RequestContext) async throws -> Response {
        let codes = try await read { connection, now in
            try connection.validChallenges(
                for: ClarityLink.allCases.map(\.purpose), in: realm, at: now
            ).compactMap { challenge -> ClarityActionCode? in
                let link = ClarityLink.allCases.first { $0.purpose == challenge.purpose }
                let account = try challenge.accountID.flatMap {
                    try connection.account($0, in: realm)
                }
                guard let link else { return nil }
                let code = ClarityActionCode(link, challenge, account, at: now)
                return code.state == .valid ? code : nil
            }
        }
        let ordered = codes.map { ($0, ClarityActionCode.ContractData($0.challenge)) }
            .sorted { first, second in
                (first.0.challenge.createdAt, first.1.order)
                    < (second.0.challenge.createdAt, second.1.order)
            }
        let items = ordered.compactMap { code, data -> JSON? in
            guard let url = try? services.open(data.sealedURL) else { return nil }
            let query = Form.parseLeniently(URLParts(url).query ?? "")
            return .omittingNil([
                "email": .string(code.email), "requestType": .string(code.link.requestType),
                "oobCode": JSON(query.first { $0.name == "oobCode" }?.value),
                "oobLink": .string(url), "newEmail": code.newEmail.map(JSON.string),
            ])
        }
        return .json(["oobCodes": .array(items)])
    }

    /// The codes of text messages that were not used yet, oldest first.
    func listPhoneCodes(_ context: RequestContext) async throws -> Response {
        let challenges = try await read { connection, now in
            try connection.validChallenges(for: [.phone, .factor], in: realm, at: now)
        }
        let items = challenges.compactMap { challenge -> JSON? in
            guard challenge.codeDigest != nil, let sealed = challenge.contractData,
                let text = try? services.open(sealed), let json = try? JSON(parsing: text)
            else { return nil }
            return [
                "phoneNumber": .string(challenge.email), "code": json["code"] ?? .null,
                "sessionInfo": json["sessionInfo"] ?? .null,
            ]
        }
        return .json(["verificationCodes": .array(items)])
    }

    /// Deletes every account of the project. Tests that do this first use the same addresses again
    /// and again, so no limit counts on.
    func deleteAllAccounts(_ context: RequestContext) async throws -> Response {
        try await database.write { connection in
            for account in try connection.accounts(in: realm) {
                try connection.remove(account: account.id)
            }
        }
        services.rateLimits.clear(realm)
        return .json([:])
    }

    // MARK: Settings

    private var configuration: [JSON.Member] {
        [
            .init("signIn", ["allowDuplicateEmails": .bool(isOn(Self.duplicateEmails))]),
            .init(
                "emailPrivacyConfig",
                ["enableImprovedEmailPrivacy": .bool(isOn(Self.emailPrivacy))]),
        ]
    }

    func showConfiguration(_ context: RequestContext) async throws -> Response {
        .json(.object(configuration))
    }

    func changeConfiguration(_ context: RequestContext) async throws -> Response {
        try await changeConfiguration(try GoogleBody(context.request))
        return .json(.object(configuration))
    }

    private func changeConfiguration(_ body: GoogleBody) async throws {
        let changes: [(FeatureSwitch, Bool?)] = [
            (
                Self.duplicateEmails,
                try body.object("signIn")?.optionalFlag("allowDuplicateEmails")
            ),
            (
                Self.emailPrivacy,
                try body.object("emailPrivacyConfig")?.optionalFlag("enableImprovedEmailPrivacy")
            ),
        ]
        for case (let featureSwitch, let isOn?) in changes {
            try await services.set(featureSwitch, isOn: isOn, in: realm)
        }
    }

    /// `GET v2/projects/{project}/config`.
    func showProjectConfiguration(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        return projectConfiguration(request.projectID)
    }

    private func projectConfiguration(_ project: String) -> Response {
        .json(
            .object(
                [.init("name", .string("projects/\(project)/config"))] + configuration + [
                    .init("blockingFunctions", .object([])),
                    .init(
                        "mfa",
                        [
                            "state": .string(isOn(Self.secondFactors) ? "ENABLED" : "DISABLED"),
                            "enabledProviders": ["PHONE_SMS"],
                            "providerConfigs": [
                                [
                                    "state": .string(
                                        isOn(Self.secondFactors) ? "ENABLED" : "DISABLED"),
                                    "totpProviderConfig": ["adjacentIntervals": 1],
                                ]
                            ],
                        ]),
                ]))
    }

    /// `PATCH v2/projects/{project}/config`.
    func changeProjectConfiguration(_ context: RequestContext) async throws -> Response {
        let request = try readRequest(context)
        try await changeConfiguration(request.body)
        if let state = try request.body.object("mfa")?.text("state") {
            let isOn = ["ENABLED", "MANDATORY", "2", "3"].contains(state)
            try await services.set(Self.secondFactors, isOn: isOn, in: realm)
        }
        return projectConfiguration(request.projectID)
    }

    /// `GET v1/projects`: what web pages of the project may be.
    func projectInfo(_ context: RequestContext) async throws -> Response {
        _ = try authorizeRequest(context)
        return .json([
            "projectId": .string(Self.projectNumber), "authorizedDomains": ["localhost"],
        ])
    }

    /// `GET v1/recaptchaParams`: values that reCAPTCHA itself would not accept.
    func recaptchaParameters(_ context: RequestContext) async throws -> Response {
        _ = try authorizeRequest(context)
        return .json([
            "kind": "identitytoolkit#GetRecaptchaParamResponse",
            "recaptchaStoken":
                "This-is-a-fake-token__Dont-send-this-to-the-Recaptcha-service__The-Auth-Emulator-does-not-support-Recaptcha",
            "recaptchaSiteKey": "Fake-key__Do-not-send-this-to-Recaptcha_",
        ])
    }
}
