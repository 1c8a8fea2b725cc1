import Support
import Web

/// Signing in, refreshing, being looked up, leaving.
extension ClarityCase {
    static let wrong = #"{"email":"ada@example.com","password":"wrong password"}"#

    static let signIn: [ContractCase] = [
        of("signIn/signed-in") { fixture in
            await fixture.person()
            return .google("signInWithPassword", credentials)
        },
        of("signIn/wrong-password") { fixture in
            await fixture.person()
            return .google("signInWithPassword", wrong)
        }, google("signIn/unknown", "signInWithPassword", wrong),
        of("signIn/wrong-password-told") { fixture in
            await fixture.person()
            try await fixture.turn("emailPrivacy", on: false)
            return .google("signInWithPassword", wrong)
        },
        of("signIn/unknown-told") { fixture in
            try await fixture.turn("emailPrivacy", on: false)
            return .google("signInWithPassword", wrong)
        },
        of("signIn/disabled") { fixture in
            await fixture.person()
            try await fixture.disableAll()
            return .google("signInWithPassword", credentials)
        },
        of("signIn/disabled-wrong-password") { fixture in
            await fixture.person()
            try await fixture.disableAll()
            return .google("signInWithPassword", wrong)
        },
        of("signIn/too-many") { fixture in
            await fixture.person()
            await fixture.guessTooOften()
            return .google("signInWithPassword", credentials)
        }, google("signIn/missing-email", "signInWithPassword", #"{"password":"x"}"#),
        google("signIn/no-email", "signInWithPassword", #"{"email":"ada","password":"x"}"#),
        google("signIn/missing-password", "signInWithPassword", #"{"email":"ada@example.com"}"#),
        of("signIn/turned-off") { fixture in
            try await fixture.turn("passwordSignIn", on: false)
            return .google("signInWithPassword", credentials)
        },
    ]

    static let people: [ContractCase] =
        [
            of("lookup/new") { fixture in .google("lookup", token(await fixture.person())) },
            of("lookup/named") { fixture in
                let token = await fixture.person().idToken
                _ = await fixture.google(
                    "update",
                    [
                        "idToken": .string(token), "displayName": "Ada",
                        "photoUrl": "https://example.com/ada.png",
                    ])
                return .google("lookup", #"{"idToken":"\#(token)"}"#)
            }, google("lookup/missing", "lookup", "{}"),
            google("lookup/not-ours", "lookup", #"{"idToken":"a.b.c"}"#),
            of("lookup/expired") { fixture in
                let reply = await fixture.person()
                fixture.frozen.advance(by: 3_600)
                return .google("lookup", token(reply))
            },
            of("lookup/password-changed") { fixture in
                let reply = await fixture.person()
                fixture.frozen.advance(by: 60)
                _ = await fixture.google(
                    "update",
                    [
                        "idToken": .string(reply.idToken),
                        "password": .string(BackendFixture.newPassword),
                    ])
                return .google("lookup", token(reply))
            },
            of("lookup/deleted") { fixture in
                let reply = await fixture.person()
                _ = await fixture.google("delete", ["idToken": .string(reply.idToken)])
                return .google("lookup", token(reply))
            },
            of("lookup/disabled") { fixture in
                let reply = await fixture.person()
                try await fixture.disableAll()
                return .google("lookup", token(reply))
            }, of("delete/done") { fixture in .google("delete", token(await fixture.person())) },
            google("delete/missing", "delete", "{}"),
        ] + ways

    private static let asked = #"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#

    private static let ways: [ContractCase] = [
        google("createAuthUri/private", "createAuthUri", asked),
        of("createAuthUri/known") { fixture in
            await fixture.person()
            try await fixture.turn("emailPrivacy", on: false)
            return .google("createAuthUri", asked)
        },
        of("createAuthUri/unknown") { fixture in
            try await fixture.turn("emailPrivacy", on: false)
            return .google("createAuthUri", asked)
        }, google("createAuthUri/missing", "createAuthUri", "{}"),
        google("createAuthUri/missing-uri", "createAuthUri", #"{"identifier":"ada@example.com"}"#),
        google(
            "createAuthUri/no-email", "createAuthUri",
            #"{"identifier":"ada","continueUri":"http://localhost"}"#),
        google(
            "createAuthUri/relative", "createAuthUri",
            #"{"identifier":"ada@example.com","continueUri":"/here"}"#),
    ]

    static func token(_ reply: Reply) -> String { #"{"idToken":"\#(reply.idToken)"}"# }
}
