import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SecretFieldsTests {
    @Test func `secrets are found by the names of their fields`() {
        var secrets = SecretFields(passwordFields: ["geheim-wort"])
        _ = secrets.read(
            request: Array(
                #"{"email":"a@b.c","password":"one","user":{"geheimWort":"two"},"access_token":"a-long-token","list":[{"new_password":"three"}],"pin":1234}"#
                    .utf8), "application/json")
        #expect(secrets.passwords == ["one", "two", "three", "1234"])
        #expect(secrets.tokens == ["a-long-token"])
    }

    @Test func `secrets are found in forms, queries and fragments`() {
        var secrets = SecretFields()
        secrets.read(
            .text(
                "grant_type=x&refresh_token=abc%2Bdefgh",
                "application/x-www-form-urlencoded; charset=utf-8"))
        secrets.read(url: "https://a.b/c?apikey=0123456789#id_token=9876543210")
        #expect(secrets.tokens == ["abc+defgh", "0123456789", "9876543210"])
    }

    @Test(arguments: [
        #"{"userPassword":"hidden"}"#, #"{"secret":"hidden"}"#, #"{"password":["hidden"]}"#,
        #"{"old_passcode":"hidden"}"#,
    ]) func `a password is recognized by part of its field's name and in an array`(body: String) {
        var secrets = SecretFields()
        secrets.read(.text(body, "application/json"))
        #expect(secrets.passwords == ["hidden"])
    }

    @Test(arguments: [
        "pass‹word", "‹", "‹password› ", "x‹token:1›", "‹token:x›", "‹token:12345›",
        "‹not kept: hidden›",
    ]) func `a secret may contain the characters of a placeholder`(_ secret: String) {
        var secrets = SecretFields()
        secrets.collect(secret, "password")
        #expect(secrets.passwords == [secret])
        secrets.collect(secret + "long enough", "token")
        #expect(secrets.tokens == [secret + "long enough"])
    }

    @Test(arguments: ["‹password›", "‹token›", "‹token:0›", "‹token:255›"])
    func `a placeholder alone is not a secret`(_ text: String) {
        var secrets = SecretFields()
        secrets.collect(text, "password")
        secrets.collect(text, "access_token")
        #expect(secrets == SecretFields())
    }

    @Test(
        arguments: [
            #"{"password":{"value":"hidden"}}"#,
            #"{"password":{"new":{"text":["hidden"]}}}"#,
            #"{"credentials":[{"type":"password","value":"hidden"}]}"#,
            #"{"pw":"hidden"}"#, #"{"user_pw":"hidden"}"#,
            #"{"credential":"hidden"}"#, #"{"private_key":"hidden"}"#,
            #"{"privateKey":"hidden"}"#, #"{"app_secret":"hidden"}"#,
            #"{"SecretAccessKey":"hidden"}"#, #"{"newPin":"hidden"}"#,
            #"{"passkey":"hidden"}"#, #"{"recovery-code":"hidden"}"#,
            #"{"userPass":"hidden"}"#, #"{"passwort":"hidden"}"#,
            #"{"pswd":"hidden"}"#, #"[{"name":"password","value":"hidden"}]"#,
            #"{"fields":[{"key":"pw","value":"hidden"}]}"#,
            "user[pw]=hidden", "credentials[password]=hidden",
        ])
    func `a password is recognized by its sibling's name and inside an object`(
        body: String
    ) {
        var secrets = SecretFields()
        #expect(secrets.read(request: Array(body.utf8), "") == nil)
        #expect(secrets.passwords == ["hidden"])
    }

    @Test(arguments: [
        "/me?next=%2Fc%3Fpassword%3Dhidden", "/me?a=b;password=hidden",
        "/me?q=%7B%22password%22%3A%22hidden%22%7D",
    ]) func `a password nested in a value of a URL is found`(_ url: String) {
        var secrets = SecretFields()
        secrets.read(url: url)
        #expect(secrets.passwords == ["hidden"])
    }

    @Test func `reading nested URLs terminates`() {
        var url = "/me?x;a=b"
        for _ in 0..<40 {
            url = "/me?x;a=" + PercentEncoding.encode(url)
            if url.utf8.count > 1 << 20 { break }
        }
        var secrets = SecretFields()
        secrets.read(url: url)
        #expect(secrets == SecretFields())
    }

    @Test func `both members with the same name are read`() {
        var secrets = SecretFields()
        let body = #"{"password":"hidden","password":"other"}"#
        #expect(secrets.read(request: Array(body.utf8), "") == nil)
        #expect(secrets.passwords == ["hidden", "other"])
    }

    @Test func `a credential that is or contains a token is a token`() {
        var secrets = SecretFields()
        let body =
            #"{"credentials":{"access_token":"a-long-token"},"#
            + #""credential":"eyJhbGciOi.eyJzdWIi.c2ln"}"#
        secrets.read(.text(body, "application/json"))
        #expect(secrets.tokens == ["a-long-token"])
        // Redaction recognizes the JWT by its shape.
        #expect(secrets.passwords.isEmpty)
    }

    @Test func `a validation message about a password is not a secret`() {
        var secrets = SecretFields()
        let body = #"{"errors":{"password":{"message":"It is too short"}}}"#
        secrets.read(.text(body, "application/json"))
        #expect(secrets == SecretFields())
    }

    @Test(arguments: [
        ("Referer", "https://a.b/login?user=ada&password=hidden"),
        ("X-Original-URL", "/login?password=hidden"),
        ("Location", "https://a.b/c#password=hidden&x=1"),
        ("Content-Location", "https://ada:hidden@a.b/c"),
        ("Link", "<https://a.b/?password=hidden>; rel=\"next\""),
        ("Refresh", "0; url=https://a.b/?x=1&password=hidden"), ("X-Password", "hidden"),
    ]) func `a password in a header's URL is found`(name: String, value: String) {
        var secrets = SecretFields()
        secrets.read([name: value] as Headers)
        #expect(secrets.passwords.contains("hidden"))
        var redaction = Redaction(passwords: secrets.passwords, tokens: [])
        #expect(!redaction.redact(header: name, value).contains("hidden"))
    }

    @Test(arguments: ["", "{", "null", "[1,2]", "\"password\""])
    func `a body without fields contains no secrets`(_ body: String) {
        var secrets = SecretFields()
        secrets.read(.text(body, "application/json"))
        #expect(secrets == SecretFields())
    }

    private static let parts = [
        #"--mark"#, #"Content-Disposition: form-data; name="user""#, "", "ada",
        "--mark", #"Content-Disposition: form-data; name="password""#, "",
        "hidden", "--mark--", "",
    ].joined(separator: "\r\n")

    @Test(arguments: [
        (parts, "multipart/form-data; boundary=mark"), (parts, ""),
        ("user=ada&password=hidden", ""), ("user=ada&password=hidden", "text/plain"),
        (#"{"user":"ada","password":"hidden"}"#, "text/plain"),
        (#"{"user":"ada","password":"hidden"}"#, ""),
    ]) func `a request's password is found whatever the content type`(body: String, type: String) {
        var secrets = SecretFields()
        #expect(secrets.read(request: Array(body.utf8), type) == nil)
        #expect(secrets.passwords == ["hidden"])
    }

    @Test(arguments: [
        ("my password is hidden", "text/plain"), ("user=ada\r\npassword=hidden", "text/plain"),
        ("<login><password>hidden</password></login>", "text/xml"),
        ("--mark\r\nname=\"password\"\r\n\r\nhidden", "multipart/form-data"),
        (#"{"password":"hid"#, "application/json"), ("pwd;hidden", ""),
        (
            parts.replacing("name=\"user\"", with: "name=\"note\"").replacing(
                "ada", with: "my passwords"), "multipart/form-data; boundary=mark"
        ),
    ]) func `a body that cannot be parsed and mentions a password is not stored`(
        body: String, type: String
    ) {
        var secrets = SecretFields()
        #expect(secrets.read(request: Array(body.utf8), type) == "it may contain a password")
    }

    @Test(arguments: [
        ("<login><password>hidden</password></login>", "application/x-www-form-urlencoded"),
        ("xml=<password>hidden</password>", "application/x-www-form-urlencoded"),
        (#"{"query":"mutation{login(password:\"hidden\"){token}}"}"#, "application/json"),
    ]) func `a body with a password nested in a field's text is not stored`(
        body: String, type: String
    ) {
        var secrets = SecretFields()
        #expect(secrets.read(request: Array(body.utf8), type) == "it may contain a password")
    }

    @Test func `a password field of the manifest is matched as spelled`() {
        var secrets = SecretFields(passwordFields: ["login_key"])
        let body = Array("<login_key>hidden</login_key>".utf8)
        #expect(secrets.read(request: body, "text/xml") == "it may contain a password")
    }

    @Test(arguments: [
        ("hello world", "text/plain"), ("<user>ada</user>", "text/plain"),
        ("a=b\r\nc=d", "text/plain"),
        ("grant_type=password&username=ada", ""),
        (
            "grant_type=password&username=ada d",
            "application/x-www-form-urlencoded"
        ),
        (#"{"grant_type":"password"}"#, "application/json"),
        (#"{"purpose":"reset password"}"#, "application/json"),
    ]) func `a body without a password is stored`(body: String, type: String) {
        var secrets = SecretFields()
        #expect(secrets.read(request: Array(body.utf8), type) == nil)
    }

    @Test func `a password after a thousand fields is found`() {
        let fields = (0..<1_000).map { "f\($0)=v" } + ["password=hidden"]
        var secrets = SecretFields()
        let body = Array(fields.joined(separator: "&").utf8)
        #expect(secrets.read(request: body, "application/x-www-form-urlencoded") == nil)
        #expect(secrets.passwords == ["hidden"])
    }

    @Test func `a password in a URL's user information is found`() {
        var secrets = SecretFields()
        secrets.read(url: "https://ada:hid%40den@a.b/c?x=1")
        #expect(secrets.passwords == ["hid%40den", "hid@den"])
    }

    @Test func `collecting secrets stops at the redaction limit`() {
        let flood = JSON.array((0..<20_000).map { .string("secret-\($0)") })
        var secrets = SecretFields()
        secrets.read(JSON.object([JSON.Member("token", flood)]))
        secrets.read(JSON.object([JSON.Member("password", flood)]))
        #expect(secrets.tokens.count == Redaction.maxSecrets + 1)
        #expect(secrets.passwords.isEmpty)
    }
}

extension UpstreamResponse {
    fileprivate static func text(_ body: String, _ type: String) -> UpstreamResponse {
        UpstreamResponse(status: 200, headers: ["Content-Type": type], body: Array(body.utf8))
    }
}
