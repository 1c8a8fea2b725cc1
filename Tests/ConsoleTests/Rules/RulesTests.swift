import Console
import Core
import Support
import Testing
import Traffic
import Web

/// Rules from the page and the API to what an app receives, with the embedded backend.
@Suite(.timeLimit(.minutes(10))) struct RulesTests {
    private func login(_ fixture: FoyerFixture, _ device: String) async -> String? {
        await fixture.submit(
            "/apps/mystica/login/submit",
            [("email", "nora@example.com"), ("password", "correct horse")], device: device
        ).location
    }

    /// Submits the form of a rule, as a browser with a file does.
    private func save(
        _ fixture: FoyerFixture, _ target: String, _ fields: [(String, String)],
        file: (name: String, text: String)? = nil
    ) async -> (status: Int, text: String) {
        var body = ""
        for (name, value) in fields {
            body += "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let file = file ?? ("", "")
        body +=
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n"
        body += "Content-Type: text/plain\r\n\r\n\(file.text)\r\n--x--\r\n"
        let response = await fixture.site.responder(
            Request(
                method: .post, target: target,
                headers: [
                    "Host": "127.0.0.1:7070", "Authorization": "Bearer \(FoyerFixture.key)",
                    "Accept": "text/html", "Content-Type": "multipart/form-data; boundary=x",
                ], body: Array(body.utf8)))
        return (response.status, response.text)
    }

    private func newestExchange(_ fixture: FoyerFixture) async -> JSON {
        let list = await fixture.ask(.get, "/api/exchanges?rule=applied").json
        let id = list["items"]?[0]?["id"]?.string ?? ""
        return await fixture.ask(.get, "/api/exchanges/\(id)").json
    }

    @Test func `a paused login is edited, continued and marked everywhere`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        let rule = await fixture.succeed(
            .post, "/api/rules",
            json: ["kind": "pauseRequest", "method": "POST", "path": "/auth/login", "timeout": 60])
        async let submitted = login(fixture, device)
        let paused = await fixture.succeed(.get, "/api/intercepted/wait?call=login")
        #expect(paused["path"] == "/auth/login" && paused["phase"] == "request")
        #expect(paused["rule"] == rule["id"])
        let body = paused["request"]?["body"]?.string ?? ""
        #expect(body.contains("‹password›") && !body.contains("correct horse"))
        let id = paused["exchange"]?.string ?? ""
        let other = await fixture.page("/sessions")
        #expect(other.text.contains("Request paused") && other.text.contains("POST /auth/login"))
        let page = await fixture.page("/rules")
        #expect(page.text.contains("1 request paused") && !page.text.contains("correct horse"))

        let invalid = await fixture.submit(
            "/intercepted/\(id)", [("phase", "request"), ("path", "//x"), ("act", "continue")])
        #expect(invalid.status == 400 && invalid.text.contains("Must begin with one slash"))
        let continued = await fixture.submit(
            "/intercepted/\(id)",
            [
                ("phase", "request"), ("path", "/auth/login?from=edit"), ("method", "POST"),
                ("body", body), ("act", "continue"),
            ])
        #expect(continued.location == "/rules")
        #expect(await submitted == "/apps/mystica/map")
        let again = await fixture.ask(.post, "/api/intercepted/\(id)/continue")
        #expect(again.status == 409 && again.json["title"] == "Already continued")

        let exchange = await newestExchange(fixture)
        #expect(exchange["rules"]?[0]?["outcome"] == "edited")
        #expect(exchange["rules"]?[0]?["edited"] == ["path"])
        #expect(exchange["originalRequest"]?["url"]?.string?.hasSuffix("/auth/login") == true)
        #expect(exchange["originalResponse"] == .null)
        let list = await fixture.page("/traffic?rule=applied")
        #expect(list.text.contains("Intercepted, request edited"))
        let details = await fixture.page("/traffic/\(id)")
        #expect(details.text.contains("Original request, the edited parts"))
        let har = await fixture.ask(.get, "/api/exchanges/\(id)?format=har").json
        let marks = har["log"]?["entries"]?[0]?["_foyer"]?["rules"]
        #expect(marks?["rules"]?[0]?["id"] == rule["id"])
        let timeline = await fixture.page("/studio/mystica/timeline", device: device)
        #expect(timeline.text.contains("continued with edits"))
    }

    @Test func `an aborted response fails the call`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        await fixture.succeed(
            .post, "/api/rules", json: ["kind": "pauseResponse", "call": "login"])
        async let submitted = login(fixture, device)
        let paused = await fixture.succeed(.get, "/api/intercepted/wait?phase=response")
        #expect(paused["response"]?["status"] == 200)
        let tokens = paused["response"]?["placeholders"]
        #expect(tokens?[0]?["placeholder"]?.string?.hasPrefix("‹token:") == true)
        let id = paused["exchange"]?.string ?? ""
        await fixture.succeed(.post, "/api/intercepted/\(id)/abort", json: ["phase": "response"])
        #expect(await submitted == "/apps/mystica/login")
        let exchange = await newestExchange(fixture)
        #expect(exchange["failure"]?["kind"] == "connection")
        #expect(exchange["rules"]?[0]?["outcome"] == "aborted")
    }

    @Test func `an exchange's response answers later requests with its tokens`() async throws {
        let fixture = try await FoyerFixture()
        let device = try await fixture.registered()
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        #expect(await login(fixture, device) == "/apps/mystica/map")
        let list = await fixture.ask(.get, "/api/exchanges?call=login&status=200").json
        let source = list["items"]?[0]?["id"]?.string ?? ""
        let form = await fixture.page("/rules/new?exchange=\(source)&kind=respond")
        #expect(form.text.contains("‹token:0›") && form.text.contains(#"value="/auth/login""#))
        let saved = await save(
            fixture, "/rules",
            [
                ("kind", "respond"), ("exchange", source), ("path", "/auth/login"),
                ("status", "200"), ("contentType", "application/json"), ("headers", ""),
                ("body", #"{"session":{"access_token":"‹token:0›","refresh_token":"‹token:1›"}}"#),
            ])
        #expect(saved.status == 303)
        let rule = await fixture.ask(.get, "/api/rules").json["items"]?[0]
        #expect(rule?["response"]?["body"]?.string?.contains("‹token:0›") == true)
        await fixture.succeed(.delete, "/api/devices/\(device)/apps/mystica/storage")
        #expect(await login(fixture, device) == "/apps/mystica/map")
        let exchange = await newestExchange(fixture)
        #expect(exchange["rules"]?[0]?["outcome"] == "responded")
        let page = await fixture.page("/traffic/\(exchange["id"]?.string ?? "")")
        #expect(page.text.contains("Not sent") && !page.text.contains("Reused connection"))
        let resent = await fixture.succeed(
            .post, "/api/exchanges/\(source)/resend", json: ["password": "correct horse"])
        #expect(resent["rules"]?[0]?["outcome"] == "responded")
    }

    @Test func `a rule's body can be an uploaded file, which an edit keeps`() async throws {
        let fixture = try await FoyerFixture()
        let fields = [("kind", "respond"), ("path", "/x"), ("status", "201")]
        #expect(await save(fixture, "/rules", fields, file: ("a.svg", "<svg/>")).status == 303)
        let rule = await fixture.ask(.get, "/api/rules").json["items"]?[0]
        let id = rule?["id"]?.string ?? ""
        #expect(rule?["response"]?["file"] == "a.svg" && rule?["response"]?["body"] == "<svg/>")
        #expect(
            rule?["response"]?["headers"]
                == [["name": "Content-Type", "value": "image/svg+xml"]])
        let page = await fixture.page("/rules/\(id)")
        #expect(page.text.contains("Now: a.svg"))
        let edited = await save(
            fixture, "/rules/\(id)",
            [("kind", "respond"), ("path", "/y"), ("status", "200"), ("body", "<svg/>")])
        #expect(edited.status == 303)
        let after = await fixture.ask(.get, "/api/rules/\(id)").json
        #expect(after["path"] == "/y" && after["response"]?["file"] == "a.svg")
    }

    @Test func `a rule that responds needs a response, and names a body that is not valid JSON`()
        async throws
    {
        let fixture = try await FoyerFixture()
        let empty = await fixture.ask(.post, "/api/rules", json: ["kind": "respond"])
        #expect(empty.status == 400 && empty.json["errors"]?[0]?["pointer"] == "/response")
        let response: JSON = ["contentType": "application/json", "body": "{\"broken\": "]
        await fixture.succeed(
            .post, "/api/rules", json: ["kind": "respond", "response": response])
        #expect(await fixture.page("/rules").text.contains("11 B, not valid JSON"))
    }

    @Test func `an invalid form keeps what was entered and names each field`() async throws {
        let fixture = try await FoyerFixture()
        let page = await save(
            fixture, "/rules",
            [
                ("kind", "respond"), ("method", "p0st"), ("path", "x y"), ("status", "abc"),
                ("headers", "no header"), ("body", "kept"),
            ])
        #expect(page.status == 400 && page.text.contains("kept"))
        #expect(page.text.contains("Must be 200 to 599."))
        #expect(page.text.contains("Has an invalid line"))
        let other = await save(
            fixture, "/rules", [("kind", "pauseRequest"), ("path", "x"), ("timeout", "0")])
        #expect(other.text.contains("Must begin with / or *"))
        #expect(other.text.contains("Must be 1 to 300 s."))
    }

    @Test func `the API rejects a rule that cannot apply and names each field`() async throws {
        let fixture = try await FoyerFixture()
        let response = await fixture.ask(
            .post, "/api/rules",
            json: [
                "kind": "pauseRequest", "app": "none", "device": "dev_x", "call": "none",
                "timeout": 301, "response": ["status": 200],
            ])
        #expect(response.status == 400)
        #expect(
            (response.json["errors"]?.elements ?? []).map { $0["pointer"]?.string } == [
                "/response", "/timeout", "/app", "/device",
            ])
        async let late = fixture.ask(.get, "/api/intercepted/wait?timeout=5").status
        #expect(await eventually { fixture.frozen.wakes(in: 5...5) })
        fixture.frozen.advance(by: 5)
        #expect(await late == 504)
        #expect(await fixture.ask(.post, "/api/intercepted/exc_x/abort").status == 404)
    }

    @Test func `rules are turned off, moved and deleted`() async throws {
        let fixture = try await FoyerFixture()
        var ids: [String] = []
        for path in ["/a", "/b"] {
            let rule = await fixture.succeed(
                .post, "/api/rules", json: ["kind": "pauseRequest", "path": .string(path)])
            ids.append(rule["id"]?.string ?? "")
        }
        let off = await fixture.succeed(
            .patch, "/api/rules/\(ids[0])",
            json: ["enabled": false, "position": 1, "method": "GET"])
        #expect(off["enabled"] == false && off["path"] == "/a" && off["method"] == "GET")
        func order() async -> [String?] {
            (await fixture.ask(.get, "/api/rules").json["items"]?.elements ?? []).map {
                $0["id"]?.string
            }
        }
        #expect(await order() == [ids[1], ids[0]])
        #expect(await fixture.submit("/rules/\(ids[0])/move", [("to", "up")]).location == "/rules")
        #expect(await order() == ids)
        _ = await fixture.submit("/rules/\(ids[0])/toggle", [("on", "yes")])
        let page = await fixture.page("/rules")
        #expect(page.text.contains("2 rules, 2 on"))
        _ = await fixture.submit("/rules/\(ids[1])/delete", [])
        #expect(await order() == [ids[0]])
        await fixture.succeed(.post, "/api/reset")
        #expect(await order() == [])
    }
}
