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
            route(.get, "\(project)/oobCodes", Self.listActionCodes),
            route(.get, "\(project)/verificationCodes", Self.listPhoneCodes),
            route(.get, "\(project)/config", Self.showConfiguration),
            route(.patch, "\(project)/config", Self.changeConfiguration),
            route(.delete, "\(project)/accounts", Self.deleteAllAccounts),
            route(.get, "\(v2Project)/config", Self.showProjectConfiguration, [.apiKey]),
            route(.patch, "\(v2Project)/config", Self.changeProjectConfiguration, [.apiKey]),
        ] + unsupportedRoutes(v2Project)
    }

    /// What neither the emulator nor this backend has, with an error that says so.
    private func unsupportedRoutes(_ project: String) -> [Route] {
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
        let lists = ["tenants", "oauthIdpConfigs", "inboundSamlConfigs"].flatMap { name in
            [
                unsupported(.get, "\(project)/\(name)", name),
                unsupported(.post, "\(project)/\(name)", name),
                unsupported(.get, "\(project)/\(name)/{item}", name),
                unsupported(.patch, "\(project)/\(name)/{item}", name),
                unsupported(.delete, "\(project)/\(name)/{item}", name),
            ]
        }
        let tenant = "\(Self.identityToolkitPath)/projects/{project}/tenants/{tenant}"
        let tenantMethods = [
            "", ":lookup", ":update", ":delete", ":sendOobCode", ":query", ":batchCreate",
            ":batchDelete",
        ].map { unsupported(.post, "\(tenant)/accounts\($0)", "tenants") }
        return lists + tenantMethods + [
            unsupported(.get, "\(tenant)/accounts:batchGet", "tenants"),
            unsupported(.post, tenant, "tenants"),
            unsupported(.get, "\(Self.identityToolkitV2Path)/passwordPolicy", "getPasswordPolicy"),
            unsupported(
                .get, "\(Self.identityToolkitV2Path)/recaptchaConfig", "getRecaptchaConfig"),
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
        let items = codes.compactMap { code -> JSON? in
            let sealed = ClarityActionCode.ContractData(code.challenge).sealedURL
            guard let url = try? services.open(sealed) else { return nil }
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

    /// Deletes every account of the project.
    func deleteAllAccounts(_ context: RequestContext) async throws -> Response {
        try await database.write { connection in
            for account in try connection.accounts(in: realm) {
                try connection.remove(account: account.id)
            }
        }
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
