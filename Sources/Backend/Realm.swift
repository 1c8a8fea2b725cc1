import SQLite

/// The scope of accounts and sessions: one contract in one workspace.
package struct Realm: Sendable, Hashable {
    package var workspace: String
    package var contract: String

    package init(workspace: String, contract: String) {
        self.workspace = workspace
        self.contract = contract
    }

    /// The values of the columns `workspace` and `contract`.
    var sqlValues: [Value] { [.text(workspace), .text(contract)] }
}
