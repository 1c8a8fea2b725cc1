import Web

/// Where the calls stand.
extension AccountsAPI {
    var routes: [Route] {
        let one = "/api/accounts/{account}"
        return [
            Route(.get, "/api/accounts", .listAccounts, handler: list),
            Route(.post, "/api/accounts", .createAccount, handler: create),
            Route(.get, one, .readAccount, handler: read),
            Route(.patch, one, .updateAccount, handler: update),
            Route(.delete, one, .deleteAccount, handler: delete),
        ]
    }
}
