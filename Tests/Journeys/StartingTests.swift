import FoundationEssentials
import Glibc
import Support
import Testing

/// How foyer starts, refuses to start, and ends.
@Suite(.timeLimit(.minutes(10))) struct StartingTests {
    @Test func `it greets, answers, and ends with 0 when asked`() async throws {
        let foyer = try await FoyerProcess.start(in: Scratch())
        let answer = try await foyer.visitor().send("GET", "/health")
        #expect(answer.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `what a test closes is closed while a foyer runs`() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .close
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await server.received()
        let foyer = try await FoyerProcess.start(in: Scratch())
        #expect(Self.established(server.port) == 1)
        gate.open()
        await server.idle()
        #expect(Self.established(server.port) == 0)
        withExtendedLifetime((client, foyer)) {}
    }

    /// How many connections to a port its server has open (proc(5),
    /// "/proc/net/tcp").
    private static func established(_ port: UInt16) -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let end = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return connections().split(separator: "\n").count { line in
            let cells = line.split(separator: " ")
            return cells.count > 3 && cells[1].hasSuffix(end) && cells[3] == "01"
        }
    }

    /// The whole table, which comes a page at a time.
    private static func connections() -> String {
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var table: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(file, &page, page.count), count > 0 { table += page[..<count] }
        return String(decoding: table, as: UTF8.self)
    }

    @Test func `a second signal does not wait for what is under way`() async throws {
        let passage = try await Passage { _ in .silence }
        let client = try passage.client()
        await client.send(passage.head("GET /x"))
        await passage.backend.received()
        passage.foyer.signal(SIGINT)
        #expect(await RawClient.turnedAway(by: passage.foyer.port))
        #expect(await passage.foyer.stop() == 130)
        passage.backend.stop()
    }

    @Test func `its folder is for its owner only and its key stays`() async throws {
        let scratch = try Scratch()
        let first = try await FoyerProcess.start(in: scratch)
        let key = first.key
        #expect(await first.stop() == 0)
        var facts = stat()
        #expect(stat(scratch.data, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o700)
        for file in ["sealing.key", "console.key", "devices.sqlite"] {
            #expect(stat(scratch.data + "/" + file, &facts) == 0)
            #expect(facts.st_mode & 0o077 == 0, "\(file)")
        }
        let second = try await FoyerProcess.start(in: scratch)
        #expect(second.key == key)
        #expect(await second.stop() == 0)
    }

    @Test func `a taken port is one line that names it`() async throws {
        let taken = try ScriptedServer { _ in .close }
        defer { taken.stop() }
        let scratch = try Scratch()
        let outcome = try await FoyerProcess.run(
            ["--port", "\(taken.port)", "--backend-port", "0", "--data", scratch.data], in: scratch)
        expectRefusal(outcome, "\(taken.port)")
    }

    @Test func `of two ports the one that is taken is the one to change`() async throws {
        let taken = try ScriptedServer { _ in .close }
        defer { taken.stop() }
        let port = "\(taken.port)"
        for ports in [
            ["--port", port, "--backend-port", "0"], ["--port", "0", "--backend-port", port],
        ] {
            let scratch = try Scratch()
            let outcome = try await FoyerProcess.run(ports + ["--data", scratch.data], in: scratch)
            let flag = ports[1] == port ? ports[0] : ports[2]
            expectRefusal(outcome, "give \(flag) another one")
        }
    }

    @Test func `a folder in use is one line that names whose it is`() async throws {
        let scratch = try Scratch()
        let first = try await FoyerProcess.start(in: scratch)
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch)
        expectRefusal(outcome, "in use by process ", ". Stop the other process")
        #expect(await first.stop() == 0)
    }

    @Test func `a data folder below a file is one line that names it`() async throws {
        let scratch = try Scratch()
        let file = scratch.write("file", "")
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", file + "/data"], in: scratch)
        expectRefusal(outcome, file + "/data", "--data")
    }

    @Test func `a full disk is one line that says so`() async throws {
        let scratch = try Scratch()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            // No file may grow beyond eight blocks; asking for more fails
            // as it does on a full disk, instead of a signal. Coverage would
            // complain, too.
            preparation: "trap '' XFSZ; ulimit -f 8; export LLVM_PROFILE_FILE=/dev/null")
        expectRefusal(outcome, scratch.data)
    }

    @Test func `a disk without room for a key ends the start`() async throws {
        let scratch = try Scratch()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            preparation: "trap '' XFSZ; ulimit -f 0")
        // Nor is there room for the line: standard error is a file here.
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
    }

    @Test(arguments: [
        ["--prot", "1"], ["--port", "no"], ["--port", "70000"], ["--port"],
        ["--password-cost", "12"],
        ["--key", "short"], ["--port", "7", "--backend-port", "7"],
        ["--root", "/nowhere"], ["--apps", "/nowhere"], ["again"],
    ])
    func `a bad argument is one line that names it`(
        arguments: [String]
    ) async throws {
        let scratch = try Scratch()
        let outcome = try await FoyerProcess.run(["--data", scratch.data] + arguments, in: scratch)
        expectRefusal(outcome, arguments[0] == "again" ? "again" : "--")
    }

    @Test(arguments: [
        ([], "--out"), (["--out"], "--out"), (["--out", "x", "--size", "watch"], "iphone15, "),
        (["--out", "x", "--appearance", "blue"], "light, dark, both"),
        (["--out", "x", "--text", "huge"], "extraLarge"),
        (["--out", "x", "--scale", "5"], "1 to 4"), (["--out", "x", "--app", ","], "--app"),
        (["--out", "x", "--port", "1"], "--port is unknown"),
        (["--out", "x", "--chromium", "/nowhere"], "/nowhere"),
        (["--out", "x", "bob"], "bob is unknown"),
    ]) func `a bad argument of storyboard is one line that names what there is`(
        arguments: [String], word: String
    ) async throws {
        let outcome = try await FoyerProcess.run(["storyboard"] + arguments, in: Scratch())
        expectRefusal(outcome, word)
    }

    @Test(arguments: ["--help", "--version"]) func `a question is answered and nothing is started`(
        flag: String
    ) async throws {
        let outcome = try await FoyerProcess.run([flag], in: Scratch())
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("foyer"))
        #expect(outcome.errors == "")
    }

    @Test func `a second process in one folder is told who is there`() async throws {
        let scratch = try Scratch()
        let first = try await FoyerProcess.start(in: scratch)
        let other = try Scratch()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: other)
        expectRefusal(outcome)
        #expect(await first.stop() == 0)
    }

    @Test func `a broken manifest is told at the start, a line for a mistake`() async throws {
        let scratch = try Scratch()
        let apps = scratch.folder + "/apps"
        try FileManager.default.createDirectory(
            atPath: apps + "/raft", withIntermediateDirectories: true)
        try Data("{\n  name: 'Raft',\n  colour: 'red',\n  ordr: 3,\n}\n".utf8).write(
            to: URL(filePath: apps + "/raft/app.json5"))
        let foyer = try await FoyerProcess.start(in: scratch, ["--apps", apps])
        #expect(await foyer.stop() == 0)
        let lines = scratch.read(scratch.errors).split(separator: "\n").filter {
            $0.contains("app.json5:")
        }
        #expect(lines.contains { $0.contains("app.json5:3: colour: ") })
        #expect(lines.contains { $0.hasSuffix("Did you mean order?") })
    }

    @Test func `it ends cleanly while streams are open`() async throws {
        let foyer = try await FoyerProcess.start(in: Scratch())
        var listeners: [RawClient] = []
        for _ in 0..<20 {
            let listener = try RawClient(port: foyer.port)
            await listener.send(
                "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(foyer.port)\r\n"
                    + "Authorization: Bearer \(foyer.key)\r\n\r\n")
            #expect(await listener.text(until: "\r\n\r\n") != nil)
            listeners.append(listener)
        }
        #expect(await foyer.stop() == 0)
        for listener in listeners {
            // The end of the stream, not a broken connection held open.
            _ = await listener.all()
        }
    }
}
