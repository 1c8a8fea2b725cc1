import Backend
import Workspaces

extension Seed {
    /// Reads `{app, user: {email?, password?, displayName?}, state, accessTokenTTL?}`.
    init(_ body: inout BodyReader) {
        let app = body.requiredString("app")
        self.init(app: app, state: body.choice("state", of: State.self) ?? .verified)
        person.accessTokenTTL = body.integer(
            "accessTokenTTL", in: AccountChange.accessTokenTTLRange)
        if var user = body.object("user") {
            person.email = user.string("email", limit: 254)
            person.password = user.string("password")
            person.displayName = user.string("displayName", limit: 100)
            body.collectErrors(of: user)
        }
    }
}
