import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct MultipartTests {
    private func request(_ body: String, _ type: String = "multipart/form-data; boundary=----b")
        -> Request
    { Request(method: .post, target: "/", headers: ["Content-Type": type], body: Array(body.utf8)) }

    private static let whole = """
        ------b\r
        Content-Disposition: form-data; name="csrf"\r
        \r
        a token\r
        ------b\r
        Content-Disposition: form-data; name="har"; filename="a b.har"\r
        Content-Type: application/json\r
        \r
        {"a":\r
        "------"}\r
        ------b--\r

        """

    @Test func `fields and files are read as browsers send them`() throws {
        let form = try Multipart(request(Self.whole))
        #expect(form.text("csrf") == "a token")
        #expect(form.text("har") == "{\"a\":\r\n\"------\"}")
        #expect(form.parts.map(\.filename) == [nil, "a b.har"])
        #expect(form["nothing"] == nil)
    }

    @Test(arguments: [
        "", "------b", "------b\r\n", "hello", "------b\r\n\r\n\r\n------b--",
        "------b\r\nContent-Disposition: form-data\r\n\r\nx\r\n------b--",
        "------b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
    ]) func `what its boundary does not divide is refused`(_ body: String) {
        let problem = #expect(throws: Problem.self) { try Multipart(request(body)) }
        #expect(problem?.status == 400)
    }

    @Test(arguments: ["application/json", "multipart/form-data", "multipart/form-data; boundary="])
    func `what does not say it is one is refused as such`(_ type: String) {
        let problem = #expect(throws: Problem.self) { try Multipart(request(Self.whole, type)) }
        #expect(problem?.status == 415)
    }

    @Test func `a part without a body is empty`() throws {
        let form = try Multipart(
            request(
                "------b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                    + "\r\n\r\n------b--\r\n"))
        #expect(form["a"] == [])
    }
}
