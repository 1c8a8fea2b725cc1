import Testing
import Web

@testable import Traffic

@Suite struct SecretFieldsTests {
    @Test func `secrets are found by the names of their fields`() {
        var found = SecretFields(named: ["geheim-wort"])
        found.read(
            Array(
                #"{"email":"a@b.c","password":"one","user":{"geheimWort":"two"},"access_token":"a-long-token","list":[{"new_password":"three"}],"pin":1234}"#
                    .utf8), "application/json")
        #expect(found.passwords == ["one", "two", "three", "1234"])
        #expect(found.tokens == ["a-long-token"])
    }

    @Test func `forms, queries and fragments are read too`() {
        var found = SecretFields()
        found.read(
            Array("grant_type=x&refresh_token=abc%2Bdefgh".utf8),
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
        found.read(Array(body.utf8), "application/json")
        #expect(found.passwords == ["hidden"])
    }

    @Test(arguments: ["", "{", "null", "[1,2]", "\"password\""])
    func `what holds no fields holds no secrets`(_ body: String) {
        var found = SecretFields()
        found.read(Array(body.utf8), "application/json")
        #expect(found == SecretFields())
    }
}
