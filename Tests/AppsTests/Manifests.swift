import Apps
import FoundationEssentials

/// The bundled manifests, and a small valid one that tests modify.
enum Manifests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A manifest under `templates/apps`.
    static func bundled(_ id: String) throws -> App {
        try load(id, root.appending(path: "templates/apps/\(id)/app.json5"))
    }

    static func text(_ id: String) throws -> String {
        let file = root.appending(path: "templates/apps/\(id)/app.json5")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    private static func load(_ id: String, _ url: URL) throws -> App {
        let data = try Data(contentsOf: url)
        return try App(id: id, file: url.path, text: String(decoding: data, as: UTF8.self))
    }

    /// The small manifest's text; each of `edits` replaces a part that must occur exactly once.
    static func small(_ edits: (String, String)...) throws -> String {
        try edits.reduce(base) { text, edit in
            guard text.ranges(of: edit.0).count == 1 else { throw InvalidEdit(text: edit.0) }
            return text.replacing(edit.0, with: edit.1)
        }
    }

    struct InvalidEdit: Error { var text: String }

    /// The small manifest with `edits`, loaded.
    static func app(_ edits: (String, String)...) throws -> App {
        let text = try edits.reduce(base) { text, edit in
            guard text.ranges(of: edit.0).count == 1 else { throw InvalidEdit(text: edit.0) }
            return text.replacing(edit.0, with: edit.1)
        }
        return try App(id: "small", file: "small/app.json5", text: text)
    }

    static let base = #"""
        {
          name: 'Small',
          settings: { apiKey: { label: 'Key', secret: true } },
          backends: {
            embedded: { base: 'embedded:small/api' },
            local: { base: 'http://localhost:3000' },
          },
          network: { timeout: 30, retries: 1 },
          memory: { email: {}, user: {} },
          storage: {
            small_token: { area: 'keychain', holds: 'accessToken' },
            small_refresh: { area: 'keychain', holds: 'refreshToken' },
            small_device: { area: 'defaults', value: '{device.uuid}' },
          },
          calls: {
            login: {
              request: { method: 'POST', path: '/login',
                         json: { email: '{email}', password: '{password}' } },
              success: { capture: { accessToken: ['/token'],
                                    refreshToken: ['/refresh'] } },
              failures: [{ status: [401], message: 'No', field: 'password' }],
              messagePointers: ['/message'],
            },
            me: { request: { method: 'GET', path: '/me', bearer: 'accessToken' },
                  success: { capture: { user: ['/'] } } },
            refresh: { request: { method: 'POST', path: '/refresh',
                                  json: { token: '{refreshToken}' } },
                       success: { capture: { accessToken: ['/token'] } } },
          },
          session: { refresh: 'refresh', refreshBefore: 60,
                     expired: { clear: ['keychain'], go: 'login' } },
          launch: [
            { stored: ['accessToken'], call: 'me', go: 'home',
              onFailure: { offline: 'stay' } },
            { go: 'login' },
          ],
          screens: {
            splash: { kind: 'launch', title: 'Small' },
            login: {
              kind: 'form', title: 'Login', tabs: ['login', 'register'],
              fields: {
                email: { type: 'email', label: 'Email',
                         rules: [{ pattern: '^\\S+@\\S+$', message: 'Bad' }] },
                password: { type: 'password', label: 'Password' },
                again: { type: 'password', label: 'Again',
                         rules: [{ same: 'password', message: 'Differs' }] },
              },
              submit: { label: 'Login', calls: ['login'],
                        store: ['accessToken', 'small_device'], go: 'home',
                        onFailure: { clear: ['password'] } },
            },
            register: { kind: 'page', title: 'Register', tabs: ['login', 'register'],
                        text: 'Hello {email}' },
            home: { kind: 'home', title: 'Home', needs: 'session', load: ['me'],
                    links: { out: 'login' } },
          },
          walkthrough: [{ screen: 'login', note: 'Here' }],
        }
        """#
}
