import Support
import Web

/// Sign-in without a password: anonymous, with custom tokens, mailed links, text messages and
/// identities at providers.
extension ClarityCase {
    private static func custom(_ name: String, _ token: String) -> ContractCase {
        google(
            "customToken/" + name, "signInWithCustomToken",
            JSON.object([.init("token", .string(token))]).description)
    }

    static let anonymous: [ContractCase] = [
        testCase("anonymous/turned-off") { fixture in
            try await fixture.setSwitch("anonymous", isOn: false)
            return .google("signUp", "{}")
        },
        testCase("anonymous/lookup") { fixture in
            let token = await fixture.signUpAnonymously().idToken
            return .google("lookup", #"{"idToken":"\#(token)"}"#)
        },
        testCase("anonymous/linked") { fixture in
            let token = await fixture.signUpAnonymously().idToken
            return .google(
                "signUp",
                #"{"idToken":"\#(token)","email":"ada@example.com","password":"correct horse"}"#)
        },
        testCase("anonymous/linked-taken") { fixture in
            await fixture.signUpWithFirebase()
            let token = await fixture.signUpAnonymously().idToken
            return .google(
                "signUp",
                #"{"idToken":"\#(token)","email":"ada@example.com","password":"correct horse"}"#)
        }, google("anonymous/empty-email", "signUp", #"{"email":"","password":""}"#),
    ]

    static let customTokens: [ContractCase] = [
        custom("json", #"{"uid":"ada","claims":{"role":"admin"}}"#),
        testCase("customToken/known") { fixture in
            await fixture.createAda()
            return .google("signInWithCustomToken", #"{"token":"{\"uid\":\"ada\"}"}"#)
        },
        // An unsigned token, as admin SDKs make it for an emulator.
        custom(
            "unsigned",
            "eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL2lkZW50aXR5dG9vbGtpdC5nb29nbGVhcGlzLmNvbS9nb"
                + "29nbGUuaWRlbnRpdHkuaWRlbnRpdHl0b29sa2l0LnYxLklkZW50aXR5VG9vbGtpdCIsInVpZCI6ImFk"
                + "YSJ9."), custom("other-audience", "eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0."),
        custom("malformed", "{uid:1}"), custom("no-token", "token"), custom("empty", ""),
        custom("no-uid", #"{"claims":{}}"#),
        custom("reserved", #"{"uid":"ada","claims":{"aud":"x"}}"#),
        custom("claims-malformed", #"{"uid":"ada","claims":[]}"#),
    ]

    private static func emailLink(_ name: String, _ members: String) -> ContractCase {
        testCase("emailLink/" + name) { fixture in
            let code = try await fixture.signInCode()
            return .google("signInWithEmailLink", #"{"oobCode":"\#(code)"\#(members)}"#)
        }
    }

    static let emailLinks: [ContractCase] = [
        emailLink("new", #","email":"Ada@example.com""#),
        emailLink("other-address", #","email":"eve@example.com""#), emailLink("no-address", ""),
        google("emailLink/no-code", "signInWithEmailLink", #"{"email":"ada@example.com"}"#),
        google(
            "emailLink/unknown-code", "signInWithEmailLink",
            #"{"email":"ada@example.com","oobCode":"x"}"#),
        testCase("emailLink/known") { fixture in
            await fixture.signUpWithFirebase()
            let code = try await fixture.signInCode()
            return .google(
                "signInWithEmailLink", #"{"email":"ada@example.com","oobCode":"\#(code)"}"#)
        },
        testCase("emailLink/used") { fixture in
            let code = try await fixture.signInCode()
            let body: JSON = ["email": "ada@example.com", "oobCode": .string(code)]
            _ = await fixture.google("signInWithEmailLink", body)
            return .google("signInWithEmailLink", body.description)
        },
        testCase("emailLink/linked") { fixture in
            let token = await fixture.signUpAnonymously().idToken
            let code = try await fixture.signInCode()
            return .google(
                "signInWithEmailLink",
                #"{"email":"ada@example.com","oobCode":"\#(code)","idToken":"\#(token)"}"#)
        },
        testCase("emailLink/linked-taken") { fixture in
            await fixture.signUpWithFirebase()
            let token = await fixture.signUpAnonymously().idToken
            let code = try await fixture.signInCode()
            return .google(
                "signInWithEmailLink",
                #"{"email":"ada@example.com","oobCode":"\#(code)","idToken":"\#(token)"}"#)
        },
        testCase("emailLink/inspected") { fixture in
            let code = try await fixture.signInCode()
            return .google("resetPassword", #"{"oobCode":"\#(code)"}"#)
        },
        testCase("emailLink/turned-off") { fixture in
            try await fixture.setSwitch("emailLink", isOn: false)
            return .google(
                "sendOobCode", #"{"requestType":"EMAIL_SIGNIN","email":"ada@example.com"}"#)
        },
        testCase("emailLink/legacy") { fixture in
            .post(
                BackendFixture.clarity + "/www.googleapis.com/identitytoolkit/v3/relyingparty"
                    + "/emailLinkSignin?key=k",
                #"{"email":"ada@example.com","oobCode":"\#(try await fixture.signInCode())"}"#)
        },
    ]

    private static func phone(
        _ name: String, after seconds: Double = 0,
        _ body: @escaping @Sendable (_ sessionInfo: String, _ code: String) -> String
    ) -> ContractCase {
        testCase("phone/" + name) { fixture in
            let (sessionInfo, code) = await fixture.requestCode()
            fixture.frozen.advance(by: seconds)
            return .google("signInWithPhoneNumber", body(sessionInfo, code))
        }
    }

    static let phones: [ContractCase] = [
        google("phone/sent", "sendVerificationCode", #"{"phoneNumber":"+1 555-555-0100"}"#),
        google("phone/malformed", "sendVerificationCode", #"{"phoneNumber":"5555550100"}"#),
        google("phone/missing", "sendVerificationCode", "{}"),
        phone("new") { #"{"sessionInfo":"\#($0)","code":"\#($1)"}"# },
        phone("wrong") { sessionInfo, _ in #"{"sessionInfo":"\#(sessionInfo)","code":"0"}"# },
        phone("expired", after: 300) { #"{"sessionInfo":"\#($0)","code":"\#($1)"}"# },
        phone("no-code") { sessionInfo, _ in #"{"sessionInfo":"\#(sessionInfo)"}"# },
        phone("no-session") { #"{"code":"\#($1)","x":"\#($0.prefix(0))"}"# },
        google(
            "phone/unknown-session", "signInWithPhoneNumber", #"{"sessionInfo":"x","code":"1"}"#),
        testCase("phone/used") { fixture in
            let (sessionInfo, code) = await fixture.requestCode()
            let body: JSON = ["sessionInfo": .string(sessionInfo), "code": .string(code)]
            _ = await fixture.google("signInWithPhoneNumber", body)
            return .google("signInWithPhoneNumber", body.description)
        },
        testCase("phone/known") { fixture in
            await fixture.createAda()
            let (sessionInfo, code) = await fixture.requestCode()
            return .google(
                "signInWithPhoneNumber", #"{"sessionInfo":"\#(sessionInfo)","code":"\#(code)"}"#)
        },
        testCase("phone/linked") { fixture in
            let token = await fixture.signUpWithFirebase().idToken
            let (sessionInfo, code) = await fixture.requestCode()
            return .google(
                "signInWithPhoneNumber",
                #"{"sessionInfo":"\#(sessionInfo)","code":"\#(code)","idToken":"\#(token)"}"#)
        },
        testCase("phone/linked-taken") { fixture in
            await fixture.createAda()
            let token = await fixture.signUpAnonymously().idToken
            let (sessionInfo, code) = await fixture.requestCode()
            return .google(
                "signInWithPhoneNumber",
                #"{"sessionInfo":"\#(sessionInfo)","code":"\#(code)","idToken":"\#(token)"}"#)
        },
        google(
            "phone/unknown-proof", "signInWithPhoneNumber",
            #"{"temporaryProof":"x","phoneNumber":"+15555550100"}"#),
        google("phone/proof-alone", "signInWithPhoneNumber", #"{"temporaryProof":"x"}"#),
    ]

    private static let ada: JSON = [
        "sub": "g1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
        "picture": "https://example.com/ada.png", "given_name": "Ada",
    ]

    static let providers: [ContractCase] = [
        testCase("idp/new") { _ in .provider(ada) },
        testCase("idp/again") { fixture in
            await fixture.signInWithGoogle(ada)
            return .provider(ada)
        }, testCase("idp/other-provider") { _ in .provider(ada, id: "oidc.example") },
        testCase("idp/same-email") { fixture in
            await fixture.createAda()
            return .provider(ada)
        },
        testCase("idp/same-email-unverified") { fixture in
            await fixture.createAda()
            return .provider(["sub": "g1", "email": "ada@example.com"])
        },
        testCase("idp/duplicate-emails") { fixture in
            await fixture.createAda()
            try await fixture.setSwitch("duplicateEmails", isOn: true)
            return .provider(ada)
        },
        testCase("idp/linked") { fixture in
            let token = await fixture.signUpAnonymously().idToken
            return .provider(ada, [.init("idToken", .string(token))])
        },
        testCase("idp/already-linked") { fixture in
            await fixture.signInWithGoogle(ada)
            let token = await fixture.signUpAnonymously().idToken
            return .provider(ada, [.init("idToken", .string(token))])
        },
        testCase("idp/already-linked-credential") { fixture in
            await fixture.signInWithGoogle(ada)
            let token = await fixture.signUpAnonymously().idToken
            return .provider(
                ada,
                [.init("idToken", .string(token)), .init("returnIdpCredential", true)])
        },
        testCase("idp/disabled") { fixture in
            await fixture.signInWithGoogle(ada)
            try await fixture.disableAllAccounts()
            return .provider(ada)
        },
        testCase("idp/saml") { _ in
            .saml(
                #"{"assertion":{"subject":{"nameId":"Eve@x.org"},"#
                    + #""attributeStatements":{"a":1}}}"#)
        }, testCase("idp/saml-without-name") { _ in .saml(#"{"assertion":{"subject":{}}}"#) },
        testCase("idp/no-subject") { _ in .provider(["email": "ada@example.com"]) },
        testCase("idp/no-text") { _ in .provider(["sub": 1]) },
        testCase("idp/no-claims") { _ in .provider("token") },
        google(
            "idp/no-provider", "signInWithIdp",
            #"{"requestUri":"http://localhost","postBody":"id_token=x"}"#),
        google("idp/no-uri", "signInWithIdp", #"{"postBody":"id_token=x"}"#),
        google("idp/bad-uri", "signInWithIdp", #"{"requestUri":"localhost"}"#),
        google(
            "idp/access-token", "signInWithIdp",
            #"{"requestUri":"http://localhost","postBody":"access_token=x&providerId=google.com"}"#),
        google(
            "idp/nothing", "signInWithIdp",
            #"{"requestUri":"http://localhost?providerId=google.com"}"#),
    ]
}

extension Request {
    /// A sign-in with a SAML response in the emulator's JSON.
    fileprivate static func saml(_ response: String) -> Request {
        let postBody = Form.encode([
            ("id_token", #"{"sub":"s1"}"#), ("providerId", "saml.acme"), ("SAMLResponse", response),
        ])
        let message: JSON = [
            "requestUri": "http://localhost", "postBody": .string(postBody),
        ]
        return .google("signInWithIdp", message.description)
    }
}
