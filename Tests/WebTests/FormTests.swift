import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct FormTests {
    private func form(_ body: String) throws -> Form {
        try Form(
            Request(
                method: .post, target: "/",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Array(body.utf8)))
    }

    @Test func `fields are decoded, and a field without a value is empty`() throws {
        let form = try form("email=a%40b.c&password=p+q%2B&empty=&bare")
        #expect(form["email"] == "a@b.c")
        #expect(form["password"] == "p q+")
        #expect(form["empty"] == "" && form["bare"] == "")
        #expect(form["other"] == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%GG", "a=%ff", "a=%00", "%00=a"])
    func `malformed escapes, invalid UTF-8 and NUL are rejected`(_ body: String) {
        #expect(throws: Problem.self) { try form(body) }
    }

    @Test func `more fields than the largest design tokens form has are rejected`() throws {
        func body(_ count: Int) -> String { (0..<count).map { "f\($0)=1" }.joined(separator: "&") }
        #expect(try form(body(4_002)).items.count == 4_002)
        #expect(throws: Problem.self) { try form(body(5_001)) }
    }

    @Test func `an encoded form decodes to the same text`() throws {
        let text = "a b+c&d=e%f/ü€\n"
        let body = Form.encode([("x", text)])
        #expect(try form(body)["x"] == text)
    }
}
