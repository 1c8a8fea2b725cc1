import Web

extension AccountsAPI {
    var routes: [Route] {
        let path = "/api/accounts/{account}"
        return [
            Route(.get, "/api/accounts", .listAccounts, handler: list),
            Route(.post, "/api/accounts", .createAccount, handler: create),
            Route(.get, path, .readAccount, handler: read),
            Route(.patch, path, .updateAccount, handler: update),
            Route(.delete, path, .deleteAccount, handler: delete),
        ]
    }
}
