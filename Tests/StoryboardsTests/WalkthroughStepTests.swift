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

    @Test func `the steps follow what a device without data meets`() throws {
        let app = try App(
            id: "raft", file: "app.json5",
            text: """
                {
                  name: 'Raft',
                  backends: { a: { base: 'http://localhost:3000' } },
                  storage: { seen: { area: 'defaults', value: 'true' } },
                  calls: { login: {
                    request: { method: 'POST', path: '/login' },
                    failures: [{ status: [403], go: 'verify' }],
                  } },
                  launch: [{ stored: ['seen'], go: 'feed' }, { go: 'welcome' }],
                  screens: {
                    feed: { kind: 'page', title: 'Feed' },
                    verify: { kind: 'page', title: 'Verify' },
                    login: {
                      kind: 'form', title: 'Log in',
                      submit: { label: 'Log in', calls: ['login'], go: 'feed' },
                    },
                    welcome: { kind: 'page', title: 'Hello', links: { next: 'login' } },
                    splash: { kind: 'launch', title: 'Raft' },
                  },
                }
                """)
        #expect(
            app.walkthroughSteps.map(\.id) == ["splash", "welcome", "login", "feed", "verify"])
    }
}
