import Support
import Web

/// Cognito itself: deleting the user of an access token.
extension ClarityCase {
    static let userPool: [ContractCase] = [
        testCase("cognito/delete/done") { fixture in
            deletion(try await fixture.signUpWithCognito().accessToken)
        },
        testCase("cognito/delete/again") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            _ = await fixture.send(deletion(token))
            return deletion(token)
        },
        testCase("cognito/delete/signed-out") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            _ = await fixture.send(.cognito("/logout", bearer: token))
            return deletion(token)
        },
        testCase("cognito/delete/expired") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            fixture.frozen.advance(by: 3_600)
            return deletion(token)
        },
        testCase("cognito/delete/disabled") { fixture in
            let token = try await fixture.signUpWithCognito().accessToken
            try await fixture.disableAllAccounts()
            return deletion(token)
        },
        testCase("cognito/delete/firebases") { fixture in
            deletion(await fixture.signUpWithFirebase().idToken)
        },
        testCase("cognito/delete/missing") { _ in userPoolRequest("DeleteUser", "{}") },
        testCase("cognito/delete/malformed") { _ in userPoolRequest("DeleteUser", "{") },
        testCase("cognito/delete/unknown-operation") { _ in
            userPoolRequest("AdminDeleteUser", "{}")
        },
    ]

    private static func deletion(_ token: String) -> Request {
        userPoolRequest("DeleteUser", #"{"AccessToken":"\#(token)"}"#)
    }

    private static func userPoolRequest(_ operation: String, _ body: String) -> Request {
        .post(
            BackendFixture.clarity + "/cognito/cognito-idp.us-east-1.amazonaws.com/", body,
            type: "application/x-amz-json-1.1",
            [("X-Amz-Target", "AWSCognitoIdentityProviderService.\(operation)")])
    }
}
