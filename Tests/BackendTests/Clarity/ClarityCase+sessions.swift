import Support
import Web

/// Signing in, refreshing, being looked up, leaving.
extension ClarityCase {
    static let wrong = #"{"email":"ada@example.com","password":"wrong password"}"#

    static let signIn: [ContractCase] = [
        of("signIn/signed-in") { house in
            await house.person()
            return .google("signInWithPassword", credentials)
        },
        of("signIn/wrong-password") { house in
            await house.person()
            return .google("signInWithPassword", wrong)
        }, google("signIn/unknown", "signInWithPassword", wrong),
        of("signIn/wrong-password-told") { house in
            await house.person()
            try await house.turn("emailPrivacy", on: false)
            return .google("signInWithPassword", wrong)
        },
        of("signIn/unknown-told") { house in
            try await house.turn("emailPrivacy", on: false)
            return .google("signInWithPassword", wrong)
        },
        of("signIn/disabled") { house in
            await house.person()
            try await house.disableAll()
            return .google("signInWithPassword", credentials)
        },
        of("signIn/disabled-wrong-password") { house in
            await house.person()
            try await house.disableAll()
            return .google("signInWithPassword", wrong)
        },
        of("signIn/too-many") { house in
            await house.person()
            await house.guessTooOften()
            return .google("signInWithPassword", credentials)
        }, google("signIn/missing-email", "signInWithPassword", #"{"password":"x"}"#),
        google("signIn/no-email", "signInWithPassword", #"{"email":"ada","password":"x"}"#),
        google("signIn/missing-password", "signInWithPassword", #"{"email":"ada@example.com"}"#),
        of("signIn/turned-off") { house in
            try await house.turn("passwordSignIn", on: false)
            return .google("signInWithPassword", credentials)
        },
    ]

    static let people: [ContractCase] =
        [
            of("lookup/new") { house in .google("lookup", token(await house.person())) },
            of("lookup/named") { house in
                let token = await house.person().idToken
                _ = await house.google(
                    "update",
                    [
                        "idToken": .string(token), "displayName": "Ada",
                        "photoUrl": "https://example.com/ada.png",
                    ])
                return .google("lookup", #"{"idToken":"\#(token)"}"#)
            }, google("lookup/missing", "lookup", "{}"),
            google("lookup/not-ours", "lookup", #"{"idToken":"a.b.c"}"#),
            of("lookup/expired") { house in
                let reply = await house.person()
                house.frozen.advance(by: 3_600)
                return .google("lookup", token(reply))
            },
            of("lookup/password-changed") { house in
                let reply = await house.person()
                house.frozen.advance(by: 60)
                _ = await house.google(
                    "update",
                    [
                        "idToken": .string(reply.idToken),
                        "password": .string(BackendHouse.newPassword),
                    ])
                return .google("lookup", token(reply))
            },
            of("lookup/deleted") { house in
                let reply = await house.person()
                _ = await house.google("delete", ["idToken": .string(reply.idToken)])
                return .google("lookup", token(reply))
            },
            of("lookup/disabled") { house in
                let reply = await house.person()
                try await house.disableAll()
                return .google("lookup", token(reply))
            }, of("delete/done") { house in .google("delete", token(await house.person())) },
            google("delete/missing", "delete", "{}"),
        ] + ways

    private static let asked = #"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#

    private static let ways: [ContractCase] = [
        google("createAuthUri/private", "createAuthUri", asked),
        of("createAuthUri/known") { house in
            await house.person()
            try await house.turn("emailPrivacy", on: false)
            return .google("createAuthUri", asked)
        },
        of("createAuthUri/unknown") { house in
            try await house.turn("emailPrivacy", on: false)
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
