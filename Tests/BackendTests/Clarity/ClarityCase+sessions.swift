import Support
import Web

/// Sign-in, account lookup, account deletion, and `accounts:createAuthUri`.
extension ClarityCase {
    static let wrongCredentials = #"{"email":"ada@example.com","password":"wrong password"}"#

    static let signIn: [ContractCase] = [
        testCase("signIn/signed-in") { fixture in
            await fixture.signUpWithFirebase()
            return .google("signInWithPassword", credentials)
        },
        testCase("signIn/wrong-password") { fixture in
            await fixture.signUpWithFirebase()
            return .google("signInWithPassword", wrongCredentials)
        }, google("signIn/unknown", "signInWithPassword", wrongCredentials),
        testCase("signIn/wrong-password-private") { fixture in
            await fixture.signUpWithFirebase()
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            return .google("signInWithPassword", wrongCredentials)
        },
        testCase("signIn/unknown-private") { fixture in
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            return .google("signInWithPassword", wrongCredentials)
        },
        testCase("signIn/disabled") { fixture in
            await fixture.signUpWithFirebase()
            try await fixture.disableAllAccounts()
            return .google("signInWithPassword", credentials)
        },
        testCase("signIn/disabled-wrong-password") { fixture in
            await fixture.signUpWithFirebase()
            try await fixture.disableAllAccounts()
            return .google("signInWithPassword", wrongCredentials)
        },
        testCase("signIn/disabled-wrong-password-private") { fixture in
            await fixture.signUpWithFirebase()
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            try await fixture.disableAllAccounts()
            return .google("signInWithPassword", wrongCredentials)
        },
        testCase("signIn/too-many") { fixture in
            await fixture.signUpWithFirebase()
            await fixture.guessTooOften()
            return .google("signInWithPassword", credentials)
        }, google("signIn/missing-email", "signInWithPassword", #"{"password":"x"}"#),
        google("signIn/no-email", "signInWithPassword", #"{"email":"ada","password":"x"}"#),
        google("signIn/missing-password", "signInWithPassword", #"{"email":"ada@example.com"}"#),
        testCase("signIn/turned-off") { fixture in
            try await fixture.setSwitch("passwordSignIn", isOn: false)
            return .google("signInWithPassword", credentials)
        },
    ]

    static let accounts: [ContractCase] =
        [
            testCase("lookup/new") { fixture in
                .google("lookup", tokenBody(await fixture.signUpWithFirebase()))
            },
            testCase("lookup/named") { fixture in
                let token = await fixture.signUpWithFirebase().idToken
                _ = await fixture.google(
                    "update",
                    [
                        "idToken": .string(token), "displayName": "Ada",
                        "photoUrl": "https://example.com/ada.png",
                    ])
                return .google("lookup", #"{"idToken":"\#(token)"}"#)
            }, google("lookup/missing", "lookup", "{}"),
            google("lookup/not-ours", "lookup", #"{"idToken":"a.b.c"}"#),
            testCase("lookup/expired") { fixture in
                let reply = await fixture.signUpWithFirebase()
                fixture.frozen.advance(by: 3_600)
                return .google("lookup", tokenBody(reply))
            },
            testCase("lookup/password-changed") { fixture in
                let reply = await fixture.signUpWithFirebase()
                fixture.frozen.advance(by: 60)
                _ = await fixture.google(
                    "update",
                    [
                        "idToken": .string(reply.idToken),
                        "password": .string(BackendFixture.newPassword),
                    ])
                return .google("lookup", tokenBody(reply))
            },
            testCase("lookup/deleted") { fixture in
                let reply = await fixture.signUpWithFirebase()
                _ = await fixture.google("delete", ["idToken": .string(reply.idToken)])
                return .google("lookup", tokenBody(reply))
            },
            testCase("lookup/disabled") { fixture in
                let reply = await fixture.signUpWithFirebase()
                try await fixture.disableAllAccounts()
                return .google("lookup", tokenBody(reply))
            },
            testCase("delete/done") { fixture in
                .google("delete", tokenBody(await fixture.signUpWithFirebase()))
            },
            google("delete/missing", "delete", "{}"),
        ] + signInMethods

    private static let createAuthURIBody =
        #"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#

    private static let signInMethods: [ContractCase] = [
        testCase("createAuthUri/private") { fixture in
            try await fixture.setSwitch("emailPrivacy", isOn: true)
            return .google("createAuthUri", createAuthURIBody)
        },
        testCase("createAuthUri/known") { fixture in
            await fixture.signUpWithFirebase()
            return .google("createAuthUri", createAuthURIBody)
        },
        testCase("createAuthUri/duplicate-emails") { fixture in
            await fixture.signInWithGoogle(["sub": "g1", "email": "ada@example.com"])
            try await fixture.setSwitch("duplicateEmails", isOn: true)
            return .google("createAuthUri", createAuthURIBody)
        }, google("createAuthUri/unknown", "createAuthUri", createAuthURIBody),
        google("createAuthUri/missing", "createAuthUri", "{}"),
        google("createAuthUri/missing-uri", "createAuthUri", #"{"identifier":"ada@example.com"}"#),
        google(
            "createAuthUri/no-email", "createAuthUri",
            #"{"identifier":"ada","continueUri":"http://localhost"}"#),
        google(
            "createAuthUri/relative", "createAuthUri",
            #"{"identifier":"ada@example.com","continueUri":"/here"}"#),
    ]

    static func tokenBody(_ reply: Reply) -> String { #"{"idToken":"\#(reply.idToken)"}"# }
}
