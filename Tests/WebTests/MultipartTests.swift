import Support
import Testing

@testable import Web

@Suite(.timeLimit(.minutes(10))) struct MultipartTests {
    private func request(_ body: String, _ type: String = "multipart/form-data; boundary=----b")
        -> Request
    { Request(method: .post, target: "/", headers: ["Content-Type": type], body: Array(body.utf8)) }

    private static let formBody = """
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

    @Test func `fields and files are parsed as browsers send them`() throws {
        let form = try Multipart(request(Self.formBody))
        #expect(form.text("csrf") == "a token")
        #expect(form.text("har") == "{\"a\":\r\n\"------\"}")
        #expect(form.parts.map(\.filename) == [nil, "a b.har"])
        #expect(form["nothing"] == nil)
    }

    @Test(arguments: [
        "", "------b", "------b\r\n", "hello", "------b\r\n\r\n\r\n------b--",
        "------b\r\nContent-Disposition: form-data\r\n\r\nx\r\n------b--",
        "------b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
    ]) func `a body that is not delimited by its boundary is rejected`(_ body: String) {
        let problem = #expect(throws: Problem.self) { try Multipart(request(body)) }
        #expect(problem?.status == 400)
    }

    @Test(arguments: ["application/json", "multipart/form-data", "multipart/form-data; boundary="])
    func `a content type that is not multipart or has no boundary gets 415`(_ type: String) {
        let problem = #expect(throws: Problem.self) { try Multipart(request(Self.formBody, type)) }
        #expect(problem?.status == 415)
    }

    /// A combining accent and the quote before it form one character.
    @Test(arguments: ["\u{301}a", "x filename="])
    func `a field's name is the text between its quotes`(
        name: String
    ) throws {
        let form = try Multipart(
            request(
                "------b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n1\r\n------b--\r\n"
            ))
        #expect(form.parts == [.init(name: name, filename: nil, bytes: [0x31])])
    }

    @Test func `a part without a body is empty`() throws {
        let form = try Multipart(
            request(
                "------b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                    + "\r\n\r\n------b--\r\n"))
        #expect(form["a"] == [])
    }

    // MARK: Randomized

    /// The body of a form as a browser writes it.
    private func serialized(_ parts: [Multipart.Part]) -> [UInt8] {
        parts.reduce(into: []) { body, part in
            let filename = part.filename.map { "; filename=\"\($0)\"" } ?? ""
            let head = "Content-Disposition: form-data; name=\"\(part.name)\"\(filename)"
            body += Array("------b\r\n\(head)\r\n\r\n".utf8) + part.bytes + Array("\r\n".utf8)
        } + Array("------b--\r\n".utf8)
    }

    private func randomParts(_ fuzz: inout Fuzz) -> [Multipart.Part] {
        let names = ["a", "é", "\u{301}", " ", ";", "=", ":", " name=", " filename=", "'", "%22"]
        let pieces = ["\r\n", "--", "----", "\r\n----", "b", "\r", "\n", "\0", "é", "text"]
        return (0..<1 + fuzz.number(below: 4)).map { _ in
            let filename = fuzz.chance(oneIn: 2) ? fuzz.text(of: names, upTo: 4) : nil
            var bytes = Array(fuzz.text(of: pieces, upTo: 8).utf8)
            if fuzz.chance(oneIn: 4) { bytes += fuzz.bytes(upTo: 9) }
            // A browser chooses a boundary that occurs in no part.
            if bytes.firstRange(of: Array("------b".utf8)) != nil { bytes = [] }
            return .init(name: fuzz.text(of: names, upTo: 4), filename: filename, bytes: bytes)
        }
    }

    private func form(_ body: [UInt8]) throws(Problem) -> Multipart {
        try Multipart(
            Request(
                method: .post, target: "/",
                headers: ["Content-Type": "multipart/form-data; boundary=----b"], body: body))
    }

    @Test func `random form parts are parsed unchanged`() async {
        await Cases("multipart that is read").check(oneIn: 1) { fuzz in
            let parts = randomParts(&fuzz)
            try #require(try form(serialized(parts)).parts == parts)
            return true
        }
    }

    @Test func `a damaged form is rejected, or contains no more than was sent`() async {
        await Cases("multipart that is damaged").check(oneIn: 10) { fuzz in
            let body = fuzz.damaged(serialized(randomParts(&fuzz)))
            do {
                let parts = try form(body).parts
                try #require(parts.reduce(0) { $0 + $1.bytes.count } < body.count)
                return true
            } catch let error as Problem { try #require(error.status == 400) }
            return false
        }
    }
}
