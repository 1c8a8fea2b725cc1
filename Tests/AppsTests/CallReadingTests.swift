import Apps
import Testing
import Web

@Suite(.timeLimit(.minutes(10))) struct CallReadingTests {
    /// The call `me` with this `success` and these `failures`.
    private func call(
        success: String = "{}", failures: String = "[]", messagePointers: String = "['/message']"
    ) throws -> Call {
        let app = try Manifests.app(
            (
                "success: { capture: { user: ['/'] } } },",
                "success: \(success), failures: \(failures), messagePointers: \(messagePointers) },"
            ))
        return try #require(app.calls["me"])
    }

    private func response(_ body: String, _ status: Int = 200) -> UpstreamResponse {
        UpstreamResponse(status: status, body: Array(body.utf8))
    }

    @Test(arguments: [200, 204, 299]) func `without statuses every 2xx is a success`(status: Int)
        throws
    {
        let call = try call(success: "{ body: 'any' }")
        #expect(call.interpret(response("", status)) == .success(captured: [:]))
    }

    @Test(arguments: [199, 300, 302, 400, 500]) func `any other status is a failure`(status: Int)
        throws
    {
        #expect(
            try call().interpret(response("{}", status))
                == .failure(nil, message: nil, status: status))
    }

    // MARK: Words of a text

    @Test(arguments: [
        (#"{"name":"Avery Quinn"}"#, JSON.string("Avery"), JSON.string("Quinn")),
        (#"{"name":" Avery  van  Quinn "}"#, .string("Avery"), .string("van Quinn")),
        (#"{"name":"Avery"}"#, .string("Avery"), .null), (#"{"name":" "}"#, .null, .null),
        (#"{"name":["Avery"]}"#, .null, .null),
    ]) func `a text's first word is captured apart from the rest`(
        body: String, first: JSON, rest: JSON
    ) throws {
        let success = """
            { capture: { user: { text: '/name', words: 'first' },
                         email: { text: ['/full', '/name'], words: 'rest' } } }
            """
        let call = try call(success: success)
        #expect(
            call.interpret(response(body)) == .success(captured: ["user": first, "email": rest]))
        #expect(call.interpret(response("{}")) == .success(captured: [:]))
    }

    // MARK: Lists in pages

    private func pagedCall(append: String = "append: ['user']") throws -> Call {
        let success = """
            { capture: { user: '/list', email: { page: '/page', last: ['/pages', '/last'] } },
              \(append) }
            """
        return try call(success: success)
    }

    @Test(arguments: [
        (#"{"page":1,"pages":3}"#, JSON.int(2)), (#"{"page":"2","last":3}"#, .int(3)),
        (#"{"page":3,"pages":3}"#, .null), (#"{"page":1,"pages":0}"#, .null),
        (#"{"page":1}"#, .null), (#"{"pages":3}"#, .null), (#"{"page":1.5,"pages":3}"#, .null),
    ]) func `the number of the next page is captured until the last page`(
        body: String, next: JSON
    ) throws {
        #expect(try pagedCall().interpret(response(body)) == .success(captured: ["email": next]))
    }

    @Test(arguments: [
        (#"[{"id":1,"n":1}]"#, #"[{"id":2},{"id":1,"n":2}]"#, #"[{"id":1,"n":1},{"id":2}]"#),
        (#"["a"]"#, #"["a","b","b"]"#, #"["a","b"]"#), ("[]", "[1]", "[1]"),
        (#""no list""#, "[1]", "[1]"), ("[1]", #""no list""#, #""no list""#),
    ]) func `an appended list gets the elements that it does not have`(
        held: String, new: String, expected: String
    ) throws {
        let success = try pagedCall().success
        let captured = ["user": try JSON(parsing: new), "email": .int(2)]
        let appended = success.appending(captured, to: ["user": try JSON(parsing: held)])
        #expect(appended == ["user": try JSON(parsing: expected), "email": .int(2)])
        #expect(success.appending(captured, to: [:]) == captured)
        let replacing = try pagedCall(append: "").success
        #expect(replacing.appending(captured, to: ["user": [1]]) == captured)
    }

    @Test func `an appended list ends at 1 MiB`() throws {
        let long = String(repeating: "x", count: 1 << 17)
        let page = JSON.array((0..<9).map { .string("\($0)" + long) })
        let held = JSON.array(Array(page.elements.prefix(5)))
        let appended = try pagedCall().success.appending(["user": page], to: ["user": held])
        #expect(appended["user"]?.elements.count == 7)
    }

    /// The bound is below the full depth because captured values are stored inside other values.
    @Test(arguments: [(48, true), (49, false)])
    func `a response nested more than 48 deep is invalid`(depth: Int, isValid: Bool) throws {
        let nested =
            #"{"a":"# + String(repeating: "[", count: depth - 1)
            + String(repeating: "]", count: depth - 1) + "}"
        let reading = try call(success: "{ capture: { user: ['/a'] } }").interpret(response(nested))
        if case .success = reading { #expect(isValid) } else { #expect(!isValid) }
    }

    @Test(arguments: [
        "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "Cannot POST <br/> here",
        "<pre>Error</pre>", "TypeError: x is undefined\n    at login (/srv/app.js:12:5)",
        "Error: boom at Object.<anonymous> (/srv/app.js:1:2)",
        "Traceback (most recent call last):\n  File \"app.py\", line 3", "#0 /srv/app.php(12): f()",
        "java.lang.NullPointerException\n\tat app.Login.run(Login.java:12)",
        "goroutine 1 [running]:",
    ]) func `MYS-12 a message that is HTML or a stack trace is not the backend's`(text: String)
        throws
    {
        let body: JSON = ["message": .string(text)]
        #expect(
            try call().interpret(response(body.description, 500))
                == .failure(nil, message: nil, status: 500))
        // A sentence at the next pointer is.
        let other: JSON = ["message": .string(text), "detail": "Please try again."]
        #expect(
            try call(messagePointers: "['/message', '/detail']").interpret(
                response(other.description, 500))
                == .failure(nil, message: "Please try again.", status: 500))
    }

    @Test(arguments: [
        "Use 8 characters, one of < > & #.", "A mail was sent to <rowan@mystica.app>.",
        "Please try again at 12:30.", "#1 rule: choose a longer password.", "1 < 2 and 3 > 2",
        "Rejected at api.mystica.app.",
    ]) func `a sentence with signs of markup is a message`(text: String) throws {
        let body: JSON = ["message": .string(text)]
        #expect(
            try call().interpret(response(body.description, 400))
                == .failure(nil, message: text, status: 400))
    }

    @Test func `a failure after a refresh or a loss, or with a value, matches only then`() throws {
        let call = try call(
            failures: """
                [{ after: 'refresh', message: 'refreshed' }, { after: 'loss', message: 'lost' },
                 { captured: ['user'], message: 'held' }, { message: 'any' }]
                """)
        func message(
            _ circumstances: Set<Call.Failure.Circumstance>, _ values: [String: JSON] = [:]
        ) -> String? {
            let call = call.applying(circumstances, Variables(values))
            guard case .failure(let row, _, _) = call.interpret(response("{}", 400)) else {
                return nil
            }
            return row?.message
        }
        #expect(message([]) == "any")
        #expect(message([.refresh, .loss]) == "refreshed")
        #expect(message([.loss]) == "lost")
        #expect(message([], ["user": "u1"]) == "held")
        #expect(message([], ["user": ""]) == "any")
        #expect(
            call.interpret(response("{}", 400))
                == .failure(call.failures[3], message: nil, status: 400))
    }

    @Test func `a 2xx status that is not listed is a failure`() throws {
        #expect(
            try call(success: "{ status: [201] }").interpret(response("{}"))
                == .failure(nil, message: nil, status: 200))
    }

    @Test(
        arguments: [
            (#"{"a":{"b":"1"},"b":"2"}"#, "1" as JSON?),
            (#"{"a":{"b":null},"b":"2"}"#, "2"),
            (#"{"a":[],"b":"2"}"#, "2"),
            (#"{"b":{"c":[1,true]}}"#, ["c": [1, true]] as JSON),
            (#"{"c":1}"#, nil),
            ("[]", nil),
            ("7", nil),
        ] as [(String, JSON?)])
    func `the first pointer with a value is used`(
        body: String, value: JSON?
    ) throws {
        let call = try call(success: "{ capture: { user: ['/a/b', '/b'] } }")
        #expect(
            call.interpret(response(body)) == .success(captured: value.map { ["user": $0] } ?? [:]))
    }

    @Test(arguments: [
        ("/~1a/~0b", 1 as JSON?), ("/list/1", 20), ("/list/01", nil),
        ("/list/-", nil), ("/list/2", nil), ("/a~1b", 3), ("/~01", 4),
        ("//x", 5), ("/ünï", 6), ("/list/18446744073709551616", nil),
    ])
    func `a pointer is resolved as RFC 6901 specifies`(
        pointer: String, value: JSON?
    ) throws {
        let document = try JSONReader.read(
            Array(#"{"/a":{"~b":1},"list":[10,20],"a/b":3,"~1":4,"":{"x":5},"ünï":6}"#.utf8))
        #expect(document.value(at: pointer) == value)
    }

    @Test func `a single slash captures the entire document`() throws {
        let call = try call(success: "{ capture: { user: '/' } }")
        #expect(call.interpret(response(#"{"a":1}"#)) == .success(captured: ["user": ["a": 1]]))
    }

    @Test func `a missing required value makes the response invalid`() throws {
        let call = try call(success: "{ capture: { user: ['/a', '/b'] }, require: 'user' }")
        guard case .invalid(let detail) = call.interpret(response(#"{"a":null}"#)) else {
            Issue.record("it was accepted")
            return
        }
        #expect(detail == "The response has no user at /a, /b.")
    }

    @Test func `a text body is captured unchanged and a body declared empty not at all`() throws {
        let text = try call(success: "{ body: 'text', capture: { user: '/' } }")
        #expect(text.interpret(response("hi")) == .success(captured: ["user": "hi"]))
        let empty = try call(success: "{ body: 'empty', capture: { user: '/' } }")
        #expect(empty.interpret(response("hi")) == .success(captured: [:]))
    }

    @Test(arguments: [
        [], Array("<html>".utf8), [0xFF, 0xFE], Array(#"{"a":"\#u{FFFD}"#.utf8),
        [0x22, 0xC3, 0x28, 0x22], Array("{} {}".utf8), Array("nul".utf8),
        Array(#"{"a":1e999}"#.utf8), Array(#""\ud800""#.utf8),
        Array(repeating: UInt8(ascii: "["), count: 1_000_000),
        Array(repeating: UInt8(ascii: "{"), count: 1_000_000),
        Array(String(repeating: #"{"a":"#, count: 100_000).utf8),
    ]) func `a malformed body is an invalid response, or a failure by its status`(body: [UInt8])
        throws
    {
        guard
            case .invalid = try call(success: "{ capture: { user: '/' } }").interpret(
                UpstreamResponse(status: 200, body: body))
        else {
            Issue.record("it was accepted")
            return
        }
        #expect(
            try call().interpret(UpstreamResponse(status: 500, body: body))
                == .failure(nil, message: nil, status: 500))
    }

    @Test func `of two members with one name, the last is used`() throws {
        let call = try call(success: "{ capture: { user: '/a' } }")
        #expect(call.interpret(response(#"{"a":1,"a":2}"#)) == .success(captured: ["user": 2]))
    }

    @Test func `integers above 64 bits are captured as doubles`() throws {
        let call = try call(success: "{ capture: { user: '/' } }")
        #expect(
            call.interpret(response("[9223372036854775807,9223372036854775808,1e300]"))
                == .success(captured: [
                    "user": [.int(.max), .double(9_223_372_036_854_775_808), .double(1e300)]
                ]))
    }

    @Test(arguments: [
        (400, #"{"code":"A"}"#, "first"), (400, #"{"code":"AB"}"#, "prefix"),
        (400, #"{"code":"B"}"#, "status"), (400, "", "status"),
        (401, #"{"code":"A","n":7,"t":true}"#, "both"),
        (401, #"{"code":"A","n":8,"t":true}"#, "any"), (502, "{}", "class"), (404, "{}", "any"),
    ]) func `the first matching row is the failure`(status: Int, body: String, message: String)
        throws
    {
        let call = try call(
            failures: """
                [{ status: [400], where: { '/code': 'A' }, message: 'first' },
                 { status: 400, where: { '/code': 'A*' }, message: 'prefix' },
                 { status: [400], message: 'status' },
                 { status: [401], where: { '/n': 7, '/t': true }, message: 'both' },
                 { status: ['5xx'], message: 'class' },
                 { message: 'any' }]
                """)
        guard case .failure(let failure, _, status) = call.interpret(response(body, status)) else {
            Issue.record("no failure")
            return
        }
        #expect(failure?.message == message)
    }

    @Test(arguments: [
        (#"{"message":"m"}"#, "m" as String?),
        (#"{"error":{"message":"e"}}"#, "e"),
        (#"{"message":["a","b"]}"#, "a"), (#"{"message":7}"#, nil),
        (#"{"message":""}"#, nil), ("oops", nil), ("", nil),
    ])
    func `the backend's message is the first nonempty text at its pointers`(
        body: String, message: String?
    ) throws {
        let call = try call(
            messagePointers: "['/error/message', '/message/0', '/message']")
        #expect(
            call.interpret(response(body, 500))
                == .failure(nil, message: message, status: 500))
    }

    @Test(
        arguments: [
            (#"{"name":["a","b"],"mail":"m"}"#, ["name": "a", "email": "m"]),
            (#"{"name":"n","mail":["",7]}"#, ["name": "n"]), (#"{"email":"e"}"#, [:]),
            ("oops", [:]), ("", [:]),
        ] as [(String, [String: String])])
    func `a field's message is the first nonempty text at its pointers`(
        body: String, messages: [String: String]
    ) throws {
        var call = try call()
        call.fieldMessagePointers = ["name": ["/name/0", "/name"], "email": ["/mail/0", "/mail"]]
        #expect(call.fieldMessages(in: response(body, 400)) == messages)
    }

    @Test func `a message is truncated to 500 characters`() throws {
        let long = String(repeating: "x", count: 100_000)
        guard
            case .failure(_, let message, _) = try call().interpret(
                response(#"{"message":"\#(long)"}"#, 500))
        else {
            Issue.record("no failure")
            return
        }
        #expect(message?.count == 500)
    }

    @Test func `a value too large for a device to store makes the response invalid`() throws {
        let call = try call(success: "{ capture: { user: '/a' } }")
        let longest = String(repeating: "t", count: 64 << 10)
        #expect(
            call.interpret(response(#"{"a":"\#(longest)"}"#))
                == .success(captured: ["user": .string(longest)]))
        let largeArray =
            "[" + Array(repeating: #""\#(longest)""#, count: 17).joined(separator: ",") + "]"
        for value in [#""\#(longest)t""#, largeArray] {
            guard case .invalid(let detail) = call.interpret(response(#"{"a":\#(value)}"#)) else {
                Issue.record("a value of \(value.utf8.count) bytes was accepted")
                continue
            }
            #expect(detail.hasPrefix("user in the response is longer than "))
        }
    }
}
