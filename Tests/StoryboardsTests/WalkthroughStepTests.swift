import Apps
import Testing

@testable import Storyboards

/// The steps of an app's walkthrough.
@Suite(.timeLimit(.minutes(10))) struct WalkthroughStepTests {
    @Test func `an app without notes has a step for each of its screens`() throws {
        let app = try App(
            id: "raft", file: "app.json5",
            text: """
                {
                  name: 'Raft',
                  backends: { a: { base: 'http://localhost:3000' } },
                  storage: { t: { area: 'keychain', holds: 'accessToken' } },
                  calls: { login: {
                    request: { method: 'POST', path: '/login' },
                    success: { capture: { accessToken: '/t' } },
                  } },
                  launch: [
                    { stored: ['accessToken'], go: 'home' }, { go: 'login' },
                  ],
                  screens: {
                    splash: { kind: 'launch', title: 'Raft' },
                    login: {
                      kind: 'form', title: 'Log in',
                      submit: { label: 'Log in', calls: ['login'],
                                store: ['accessToken'], go: 'home' },
                    },
                    home: { kind: 'home', title: 'Afloat', needs: 'session' },
                  },
                }
                """)
        #expect(app.walkthroughSteps.map(\.id) == ["splash", "login", "home"])
    }
}
