/// Where accounts live: one contract in one workspace.
struct Realm: Sendable, Hashable {
    var workspace: String
    var contract: String
}
