import Testing
import Web

@testable import Traffic

@Suite(.timeLimit(.minutes(10))) struct SecretFieldsTests {
    @Test func `secrets are found by the names of their fields`() {
        var found = SecretFields(passwordFields: ["geheim-wort"])
        _ = found.read(
            request: Array(
                #"{"email":"a@b.c","password":"one","user":{"geheimWort":"two"},"access_token":"a-long-token","list":[{"new_password":"three"}],"pin":1234}"#
                    .utf8), "application/json")
        #expect(found.passwords == ["one", "two", "three", "1234"])
        #expect(found.tokens == ["a-long-token"])
    }

    @Test func `forms, queries and fragments are read too`() {
        var found = SecretFields()
        found.read(
            response: Array("grant_type=x&refresh_token=abc%2Bdefgh".utf8),
            "application/x-www-form-urlencoded; charset=utf-8")
        found.read(url: "https://a.b/c?apikey=0123456789#id_token=9876543210")
        #expect(found.tokens == ["abc+defgh", "0123456789", "9876543210"])
    }

    @Test(arguments: [
        #"{"userPassword":"hidden"}"#, #"{"secret":"hidden"}"#, #"{"password":["hidden"]}"#,
        #"{"old_passcode":"hidden"}"#,
    ]) func `a password is known by part of its name, and in a list`(body: String) {
        var found = SecretFields()
        found.read(response: Array(body.utf8), "application/json")
        #expect(found.passwords == ["hidden"])
    }

    @Test(arguments: [
        "pass‹word", "‹", "‹password› ", "x‹token:1›", "‹token:x›", "‹token:12345›",
        "‹not kept: hidden›",
    ]) func `a secret may hold the signs of a placeholder`(_ secret: String) {
        var found = SecretFields()
        found.collect(secret, "password")
        #expect(found.passwords == [secret])
        found.collect(secret + "long enough", "token")
        #expect(found.tokens == [secret + "long enough"])
    }

    @Test(arguments: ["‹password›", "‹token›", "‹token:0›", "‹token:255›"])
    func `a placeholder alone is no secret`(_ text: String) {
        var found = SecretFields()
        found.collect(text, "password")
        found.collect(text, "access_token")
        #expect(found == SecretFields())
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
    func `a password is known by its siblings' names, and within an object`(
        body: String
    ) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), "") == nil)
        #expect(found.passwords == ["hidden"])
    }

    @Test(arguments: [
        "/me?next=%2Fc%3Fpassword%3Dhidden", "/me?a=b;password=hidden",
        "/me?q=%7B%22password%22%3A%22hidden%22%7D",
    ]) func `a password within a value of an address is one`(_ url: String) {
        var found = SecretFields()
        found.read(url: url)
        #expect(found.passwords == ["hidden"])
    }

    @Test func `addresses within addresses come to an end`() {
        var url = "/me?x;a=b"
        for _ in 0..<40 {
            url = "/me?x;a=" + PercentEncoding.encode(url)
            if url.utf8.count > 1 << 20 { break }
        }
        var found = SecretFields()
        found.read(url: url)
        #expect(found == SecretFields())
    }

    @Test func `of two members of one name both are taken`() {
        var found = SecretFields()
        let body = #"{"password":"hidden","password":"other"}"#
        #expect(found.read(request: Array(body.utf8), "") == nil)
        #expect(found.passwords == ["hidden", "other"])
    }

    @Test func `a credential that is a token, or brings one, is a token`() {
        var found = SecretFields()
        let body =
            #"{"credentials":{"access_token":"a-long-token"},"#
            + #""credential":"eyJhbGciOi.eyJzdWIi.c2ln"}"#
        found.read(response: Array(body.utf8), "application/json")
        #expect(found.tokens == ["a-long-token"])
        // By its shape it is found wherever it stands.
        #expect(found.passwords.isEmpty)
    }

    @Test func `why a password was refused is none`() {
        var found = SecretFields()
        let body = #"{"errors":{"password":{"message":"It is too short"}}}"#
        found.read(response: Array(body.utf8), "application/json")
        #expect(found == SecretFields())
    }

    @Test(arguments: [
        ("Referer", "https://a.b/login?user=ada&password=hidden"),
        ("X-Original-URL", "/login?password=hidden"),
        ("Location", "https://a.b/c#password=hidden&x=1"),
        ("Content-Location", "https://ada:hidden@a.b/c"),
        ("Link", "<https://a.b/?password=hidden>; rel=\"next\""),
        ("Refresh", "0; url=https://a.b/?x=1&password=hidden"), ("X-Password", "hidden"),
    ]) func `a password in an address that a header carries is one`(name: String, value: String) {
        var found = SecretFields()
        found.read([name: value] as Headers)
        #expect(found.passwords.contains("hidden"))
        var redaction = Redaction(passwords: found.passwords, tokens: [])
        #expect(!redaction.redact(header: name, value).contains("hidden"))
    }

    @Test(arguments: ["", "{", "null", "[1,2]", "\"password\""])
    func `what holds no fields holds no secrets`(_ body: String) {
        var found = SecretFields()
        found.read(response: Array(body.utf8), "application/json")
        #expect(found == SecretFields())
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
    ]) func `a request's password is found whatever it says it is`(body: String, type: String) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == nil)
        #expect(found.passwords == ["hidden"])
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
    ]) func `what cannot be taken apart and speaks of a password is not kept`(
        body: String, type: String
    ) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == "it may hold a password")
    }

    @Test(arguments: [
        ("<login><password>hidden</password></login>", "application/x-www-form-urlencoded"),
        ("xml=<password>hidden</password>", "application/x-www-form-urlencoded"),
        (#"{"query":"mutation{login(password:\"hidden\"){token}}"}"#, "application/json"),
    ]) func `a text within a field that has a password of its own is not kept`(
        body: String, type: String
    ) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == "it may hold a password")
    }

    @Test func `a field the manifest names is looked for as it is spelt`() {
        var found = SecretFields(passwordFields: ["login_key"])
        let body = Array("<login_key>hidden</login_key>".utf8)
        #expect(found.read(request: body, "text/xml") == "it may hold a password")
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
    ]) func `what has none is kept`(body: String, type: String) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == nil)
    }

    @Test func `a password beyond many fields is found`() {
        let fields = (0..<1_000).map { "f\($0)=v" } + ["password=hidden"]
        var found = SecretFields()
        let body = Array(fields.joined(separator: "&").utf8)
        #expect(found.read(request: body, "application/x-www-form-urlencoded") == nil)
        #expect(found.passwords == ["hidden"])
    }

    @Test func `a password before an address's host is one`() {
        var found = SecretFields()
        found.read(url: "https://ada:hid%40den@a.b/c?x=1")
        #expect(found.passwords == ["hid%40den", "hid@den"])
    }

    @Test func `a flood of secrets is taken as far as it can be hidden`() {
        let flood = JSON.array((0..<20_000).map { .string("secret-\($0)") })
        var found = SecretFields()
        found.read(JSON.object([JSON.Member("token", flood)]))
        found.read(JSON.object([JSON.Member("password", flood)]))
        #expect(found.tokens.count == Redaction.maxSecrets + 1)
        #expect(found.passwords.isEmpty)
    }
}
