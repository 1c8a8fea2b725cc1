import Testing
import Web

@testable import Traffic

@Suite struct SecretFieldsTests {
    @Test func `secrets are found by the names of their fields`() {
        var found = SecretFields(named: ["geheim-wort"])
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
            answer: Array("grant_type=x&refresh_token=abc%2Bdefgh".utf8),
            "application/x-www-form-urlencoded; charset=utf-8")
        found.read(url: "https://a.b/c?apikey=0123456789#id_token=9876543210")
        #expect(found.tokens == ["abc+defgh", "0123456789", "9876543210"])
    }

    @Test(
        arguments: [
            #"{"userPassword":"hidden"}"#, #"{"secret":"hidden"}"#,
            #"{"password":["hidden"]}"#, #"{"old_passcode":"hidden"}"#,
        ])
    func `a password is known by part of its name, and in a list`(
        body: String
    ) {
        var found = SecretFields()
        found.read(answer: Array(body.utf8), "application/json")
        #expect(found.passwords == ["hidden"])
    }

    @Test(arguments: ["", "{", "null", "[1,2]", "\"password\""])
    func `what holds no fields holds no secrets`(_ body: String) {
        var found = SecretFields()
        found.read(answer: Array(body.utf8), "application/json")
        #expect(found == SecretFields())
    }

    private static let parts = [
        #"--mark"#, #"Content-Disposition: form-data; name="user""#, "", "ada",
        "--mark", #"Content-Disposition: form-data; name="password""#, "",
        "hidden", "--mark--", "",
    ].joined(separator: "\r\n")

    @Test(arguments: [
        (parts, "multipart/form-data; boundary=mark"), (parts, ""),
        ("user=ada&password=hidden", ""),
        ("user=ada&password=hidden", "text/plain"),
        (#"{"user":"ada","password":"hidden"}"#, "text/plain"),
        (#"{"user":"ada","password":"hidden"}"#, ""),
    ])
    func `a request's password is found whatever it says it is`(
        body: String, type: String
    ) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == nil)
        #expect(found.passwords == ["hidden"])
    }

    @Test(arguments: [
        ("my password is hidden", "text/plain"),
        ("user=ada\r\npassword=hidden", "text/plain"),
        ("<login><password>hidden</password></login>", "text/xml"),
        ("--mark\r\nname=\"password\"\r\n\r\nhidden", "multipart/form-data"),
        (#"{"password":"hid"#, "application/json"), ("pwd;hidden", ""),
        (
            parts.replacing("name=\"user\"", with: "name=\"note\"")
                .replacing("ada", with: "my passwords"),
            "multipart/form-data; boundary=mark"
        ),
    ])
    func `what cannot be taken apart and speaks of a password is not kept`(
        body: String, type: String
    ) {
        var found = SecretFields()
        #expect(
            found.read(request: Array(body.utf8), type)
                == "it may hold a password")
    }

    @Test(arguments: [
        (
            "<login><password>hidden</password></login>",
            "application/x-www-form-urlencoded"
        ),
        (
            "xml=<password>hidden</password>",
            "application/x-www-form-urlencoded"
        ),
        (
            #"{"query":"mutation{login(password:\"hidden\"){token}}"}"#,
            "application/json"
        ),
    ])
    func `a text within a field that has a password of its own is not kept`(
        body: String, type: String
    ) {
        var found = SecretFields()
        #expect(
            found.read(request: Array(body.utf8), type)
                == "it may hold a password")
    }

    @Test func `a field the manifest names is looked for as it is spelt`() {
        var found = SecretFields(named: ["login_key"])
        let body = Array("<login_key>hidden</login_key>".utf8)
        #expect(
            found.read(request: body, "text/xml") == "it may hold a password")
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
    ])
    func `what has none is kept`(body: String, type: String) {
        var found = SecretFields()
        #expect(found.read(request: Array(body.utf8), type) == nil)
    }

    @Test func `a password beyond many fields is found`() {
        let fields = (0..<1_000).map { "f\($0)=v" } + ["password=hidden"]
        var found = SecretFields()
        let body = Array(fields.joined(separator: "&").utf8)
        #expect(
            found.read(request: body, "application/x-www-form-urlencoded")
                == nil)
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
        #expect(found.tokens.count == Redaction.mostSecrets + 1)
        #expect(found.passwords.isEmpty)
    }
}
