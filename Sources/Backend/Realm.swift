/// The scope of accounts and sessions: one contract in one workspace.
struct Realm: Sendable, Hashable {
    var workspace: String
    var contract: String
}
