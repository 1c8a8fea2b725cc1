import Backend
import Workspaces

extension Seed {
    /// Reads `{app, user: {email?, password?, displayName?}, state, accessTokenTTL?}`.
    init(_ body: inout BodyReader) {
        let app = body.requiredString("app")
        self.init(app: app, state: body.choice("state", of: State.self) ?? .verified)
        person.accessTokenTTL = body.integer(
            "accessTokenTTL", in: AccountChange.accessTokenTTLRange)
        let user = body.object("user") { user in
            (
                email: user.string("email", limit: 254), password: user.string("password"),
                displayName: user.string("displayName", limit: 100)
            )
        }
        person.email = user?.email
        person.password = user?.password
        person.displayName = user?.displayName
    }
}
