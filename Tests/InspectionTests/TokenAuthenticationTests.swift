import Inspection
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct TokenAuthenticationTests {
    @Test func `a token with two methods claims its second factor and assurance level`() {
        let authentication = TokenAuthentication(claims: [
            "aal": "aal2",
            "amr": [
                ["method": "totp", "timestamp": 1_795_271_727],
                ["method": "password", "timestamp": 1_795_271_700],
            ],
            "app_metadata": ["provider": "email"],
        ])
        #expect(authentication?.provider == "email")
        #expect(authentication?.methods == ["totp", "password"])
        #expect(authentication?.assuranceLevel == "aal2")
        #expect(authentication?.secondFactor == "totp")
    }

    @Test func `a one-time code alone is no second factor`() {
        let authentication = TokenAuthentication(claims: ["aal": "aal1", "amr": ["otp"]])
        #expect(authentication?.methods == ["otp"])
        #expect(authentication?.secondFactor == nil)
    }

    @Test func `Firebase's claim names provider and second factor`() {
        let authentication = TokenAuthentication(claims: [
            "firebase": [
                "sign_in_provider": "google.com", "sign_in_second_factor": "phone",
            ]
        ])
        #expect(authentication?.provider == "google.com")
        #expect(authentication?.secondFactor == "phone")
    }

    @Test func `a token without such claims has no authentication`() {
        #expect(TokenAuthentication(claims: ["sub": "usr_1"]) == nil)
    }
}
