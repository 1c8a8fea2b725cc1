import Support
import Web

/// What administrators do with accounts.
extension ClarityCase {
    private static func admin(_ name: String, _ method: String, _ body: String) -> ContractCase {
        testCase("admin/" + name) { fixture in
            await fixture.createAda()
            return .admin(method, body)
        }
    }

    private static func update(_ name: String, _ members: String) -> ContractCase {
        admin("update-" + name, ":update", #"{"localId":"ada",\#(members)}"#)
    }

    static let administrators: [ContractCase] = [
        admin(
            "create", "",
            #"{"localId":"eve","email":"eve@example.com","password":"correct horse","displayName":"Eve"}"#
        ), admin("create-empty", "", "{}"), admin("create-same-id", "", #"{"localId":"ada"}"#),
        admin("create-same-email", "", #"{"email":"ada@example.com"}"#),
        admin("create-same-phone", "", #"{"phoneNumber":"+15555550100"}"#),
        admin("create-bad-phone", "", #"{"phone_number":"555"}"#),
        admin("create-weak", "", #"{"email":"eve@example.com","password":"12345"}"#),
        admin("create-long-id", "", #"{"localId":"\#(String(repeating: "x", count: 129))"}"#),
        admin(
            "create-factors", "",
            #"{"email":"eve@example.com","mfaInfo":[{"phoneInfo":"+15555550101"}]}"#),
        admin("create-bad-factor", "", #"{"mfaInfo":[{"phoneInfo":"5"}]}"#),
        admin(
            "lookup", ":lookup",
            #"{"localId":["ada","ada"],"email":["Ada@example.com"],"phoneNumber":["+15555550100"]}"#
        ), admin("lookup-none", ":lookup", #"{"localId":["nobody"]}"#),
        testCase("admin/lookup-identity") { fixture in
            await fixture.signInWithGoogle(["sub": "g1", "email": "ada@example.com"])
            return .admin(
                ":lookup", #"{"federatedUserId":[{"providerId":"google.com","rawId":"g1"}]}"#)
        }, update("name", #""displayName":"Ada L","photoUrl":null"#),
        update("claims", #""customAttributes":"{\"role\":\"admin\"}""#),
        update("claims-reserved", #""customAttributes":"{\"iss\":\"x\"}""#),
        update("claims-malformed", #""customAttributes":"[1]""#),
        update("claims-large", #""customAttributes":"\#(String(repeating: "x", count: 1_001))""#),
        update("disable", #""disableUser":true"#), update("unverify", #""emailVerified":false"#),
        update("email", #""email":"Eve@example.com","emailVerified":true"#),
        update("valid-since", #""validSince":1795271715"#),
        update("attributes", #""deleteAttribute":[1,"PASSWORD","DISPLAY_NAME","PHOTO_URL"]"#),
        update("providers", #""deleteProvider":["phone","password"]"#),
        update("unknown-attribute", #""deleteAttribute":["NAME"]"#),
        update(
            "identity",
            #""linkProviderUserInfo":{"providerId":"google.com","rawId":"g1","displayName":"A"}"#),
        update("identity-incomplete", #""linkProviderUserInfo":{"providerId":"google.com"}"#),
        update(
            "factors",
            #""mfa":{"enrollments":[{"mfaEnrollmentId":"f1","phoneInfo":"+15555550101"}]}"#),
        update("factor-without-id", #""mfa":{"enrollments":[{"phoneInfo":"+15555550101"}]}"#),
        admin("update-nobody", ":update", #"{"localId":"nobody"}"#),
        admin("update-no-id", ":update", #"{"displayName":"x"}"#),
        admin("delete", ":delete", #"{"localId":"ada"}"#),
        admin("delete-nobody", ":delete", #"{"localId":"nobody"}"#),
        admin("delete-no-id", ":delete", "{}"),
        admin("batch-delete", ":batchDelete", #"{"localIds":["ada","nobody"]}"#),
        admin("batch-delete-forced", ":batchDelete", #"{"localIds":["ada"],"force":true}"#),
        admin("batch-delete-none", ":batchDelete", #"{"localIds":[]}"#),
        admin(
            "batch-create", ":batchCreate",
            #"{"users":[{"localId":"eve","email":"eve@example.com","rawPassword":"correct horse"},"#
                + #"{"localId":"ada"},{"localId":"bob","email":"ada@example.com"},{"email":"x@x.xx"},"#
                + #"{"localId":"eva","passwordHash":"aGFzaA=="},{"localId":"ann","phoneNumber":"5"}],"#
                + #""hashAlgorithm":"SCRYPT"}"#),
        admin(
            "batch-create-duplicate-email", ":batchCreate",
            #"{"users":[{"localId":"bob","email":"ada@example.com"},"#
                + #"{"localId":"eve","providerUserInfo":[{"federatedId":"x"}]}],"#
                + #""sanityCheck":true}"#),
        admin("batch-create-none", ":batchCreate", #"{"users":[]}"#),
        admin(
            "batch-create-twice", ":batchCreate", #"{"users":[{"localId":"x"},{"localId":"x"}]}"#),
        admin("query", ":query", "{}"),
        admin("query-count", ":query", #"{"returnUserInfo":false}"#),
        testCase("admin/batch-get") { fixture in
            for name in ["a", "b", "c"] {
                await fixture.admin("", ["localId": .string(name)])
            }
            return .toolkit(
                "/v1/projects/clarity-pulse/accounts:batchGet?maxResults=1&nextPageToken=a",
                bearer: "Owner")
        },
        testCase("admin/batch-get-huge") { _ in
            .toolkit(
                "/v1/projects/clarity-pulse/accounts:batchGet?maxResults=1e99", bearer: "owner")
        },
        testCase("admin/batch-get-all") { fixture in
            for name in ["a", "b"] { await fixture.admin("", ["localId": .string(name)]) }
            return .toolkit(
                "/v1/projects/clarity-pulse/accounts:batchGet?maxResults=-1", bearer: "owner")
        },
        testCase("admin/batch-get-end") { _ in
            .toolkit("/v1/projects/clarity-pulse/accounts:batchGet", bearer: "ya29.token")
        }, testCase("admin/key-alone") { _ in .admin("", "{}", bearer: nil, query: "?key=k") },
        testCase("admin/nothing") { _ in .admin("", "{}", bearer: nil) },
        testCase("admin/other-token") { _ in .admin("", "{}", bearer: "token") },
        testCase("admin/project-in-body") { _ in
            .google("signUp", #"{"targetProjectId":"clarity-pulse"}"#)
        },
        testCase("admin/download") { _ in
            .post(
                BackendFixture.clarity + "/www.googleapis.com/identitytoolkit/v3/relyingparty"
                    + "/downloadAccount", #"{"targetProjectId":"clarity-pulse"}"#, bearer: "owner")
        },
        testCase("admin/cookie") { fixture in
            .cookie([
                "idToken": .string(await fixture.signUpWithFirebase().idToken),
                "validDuration": "3600",
            ])
        },
        testCase("admin/cookie-short") { fixture in
            .cookie([
                "idToken": .string(await fixture.signUpWithFirebase().idToken),
                "validDuration": 60,
            ])
        }, testCase("admin/cookie-no-token") { _ in .cookie([:]) },
        testCase("admin/cookie-invalid") { _ in .cookie(["idToken": "x"]) },
        testCase("admin/link") { fixture in
            await fixture.createAda()
            return .admin(
                ":sendOobCode",
                #"{"requestType":"VERIFY_EMAIL","email":"ada@example.com","returnOobLink":true}"#)
        },
        testCase("admin/link-of-nobody") { _ in
            .admin(
                ":sendOobCode",
                #"{"requestType":"VERIFY_EMAIL","email":"ada@example.com","returnOobLink":true}"#)
        },
        testCase("admin/change-link") { fixture in
            await fixture.createAda()
            return .admin(
                ":sendOobCode",
                #"{"requestType":7,"email":"ada@example.com","newEmail":"eve@example.com","#
                    + #""returnOobLink":true}"#)
        },
        testCase("admin/tenants") { _ in
            .toolkit("/v2/projects/clarity-pulse/tenants", bearer: "owner")
        },
    ]
}
