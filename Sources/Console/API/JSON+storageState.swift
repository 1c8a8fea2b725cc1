import Web

extension JSON {
    /// A cookie of this console in the format of Playwright's `storageState`.
    static func storageStateCookie(_ name: String, _ value: String, at host: String = "127.0.0.1")
        -> JSON
    {
        [
            "name": .string(name),
            "value": .string(value),
            "domain": .string(host),
            "path": "/",
            "expires": -1,
            "httpOnly": true,
            "secure": false,
            "sameSite": "Strict",
        ]
    }
}
