import FoundationEssentials
import Glibc
import Support
import Testing

/// How foyer starts, refuses to start, and exits.
@Suite(.timeLimit(.minutes(10))) struct StartingTests {
    @Test func `foyer starts, responds, and exits with 0 on SIGTERM`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        let response = try await foyer.browser().send("GET", "/health")
        #expect(response.status == 200)
        #expect(await foyer.stop() == 0)
    }

    @Test func `a child process does not hold the test's sockets open`() async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .close
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await server.received()
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
        #expect(Self.established(server.port) == 1)
        gate.open()
        await server.idle()
        #expect(Self.established(server.port) == 0)
        withExtendedLifetime((client, foyer)) {}
    }

    /// The number of established connections of the server on `port` (proc(5), "/proc/net/tcp").
    private static func established(_ port: UInt16) -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        return connections().split(separator: "\n").count { line in
            let cells = line.split(separator: " ")
            return cells.count > 3 && cells[1].hasSuffix(suffix) && cells[3] == "01"
        }
    }

    /// The complete table, read a page at a time.
    private static func connections() -> String {
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var table: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(file, &page, page.count), count > 0 { table += page[..<count] }
        return String(decoding: table, as: UTF8.self)
    }

    @Test func `a second signal ends foyer without waiting for running requests`() async throws {
        let proxy = try await ProxiedClient { _ in .silence }
        let client = try proxy.client()
        await client.send(proxy.head("GET /x"))
        await proxy.backend.received()
        proxy.foyer.signal(SIGINT)
        #expect(await RawClient.isRejected(by: proxy.foyer.port))
        #expect(await proxy.foyer.stop() == 130)
        proxy.backend.stop()
    }

    @Test func `the data folder is private to its owner and the key survives a restart`()
        async throws
    {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        let key = first.key
        #expect(await first.stop() == 0)
        var fileStatus = stat()
        #expect(stat(scratch.data, &fileStatus) == 0)
        #expect(fileStatus.st_mode & 0o777 == 0o700)
        for file in ["sealing.key", "console.key", "devices.sqlite"] {
            #expect(stat(scratch.data + "/" + file, &fileStatus) == 0)
            #expect(fileStatus.st_mode & 0o077 == 0, "\(file)")
        }
        let second = try await FoyerProcess.start(in: scratch)
        #expect(second.key == key)
        #expect(await second.stop() == 0)
    }

    @Test func `a port in use is reported in one line with the port`() async throws {
        let taken = try ScriptedServer { _ in .close }
        defer { taken.stop() }
        let scratch = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(
            ["--port", "\(taken.port)", "--backend-port", "0", "--data", scratch.data], in: scratch)
        expectRefusal(outcome, "\(taken.port)")
    }

    @Test func `the error for a port in use names the flag to change`() async throws {
        let taken = try ScriptedServer { _ in .close }
        defer { taken.stop() }
        let port = "\(taken.port)"
        for ports in [
            ["--port", port, "--backend-port", "0"], ["--port", "0", "--backend-port", port],
        ] {
            let scratch = try TemporaryDirectory()
            let outcome = try await FoyerProcess.run(ports + ["--data", scratch.data], in: scratch)
            let flag = ports[1] == port ? ports[0] : ports[2]
            expectRefusal(outcome, "use another one with \(flag)")
        }
    }

    @Test func `a data folder in use is reported in one line with the other process`() async throws
    {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch)
        expectRefusal(outcome, "in use by process ", ". Stop the other process")
        #expect(await first.stop() == 0)
    }

    @Test func `a data folder below a file is reported in one line with its path`() async throws {
        let scratch = try TemporaryDirectory()
        let file = scratch.write("file", "")
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", file + "/data"], in: scratch)
        expectRefusal(outcome, file + "/data", "--data")
    }

    @Test func `a full disk is reported in one line`() async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            // No file may grow beyond eight blocks. With the signal ignored, a longer write fails
            // as on a full disk. Writing the coverage profile would fail too.
            preparation: "trap '' XFSZ; ulimit -f 8; export LLVM_PROFILE_FILE=/dev/null")
        expectRefusal(outcome, scratch.data)
    }

    @Test func `foyer does not start on a disk without space for a key`() async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            preparation: "trap '' XFSZ; ulimit -f 0")
        // The error line cannot be written either: standard error is a file here.
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
    }

    @Test(arguments: [
        ["--prot", "1"], ["--port", "no"], ["--port", "70000"], ["--port"],
        ["--password-cost", "12"],
        ["--key", "short"], ["--port", "7", "--backend-port", "7"],
        ["--root", "/nowhere"], ["--apps", "/nowhere"], ["again"],
    ])
    func `an invalid argument is reported in one line`(
        arguments: [String]
    ) async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(["--data", scratch.data] + arguments, in: scratch)
        expectRefusal(outcome, arguments[0] == "again" ? "again" : "--")
    }

    @Test(arguments: [
        ([], "--out"), (["--out"], "--out"), (["--out", "x", "--size", "watch"], "iphone15, "),
        (["--out", "x", "--appearance", "blue"], "light, dark, both"),
        (["--out", "x", "--text", "huge"], "extraLarge"),
        (["--out", "x", "--scale", "5"], "1 to 4"), (["--out", "x", "--app", ","], "--app"),
        (["--out", "x", "--port", "1"], "unknown option --port"),
        (["--out", "x", "--chromium", "/nowhere"], "/nowhere"),
        (["--out", "x", "bob"], "unknown option bob"),
    ]) func `an invalid argument of storyboard is reported in one line`(
        arguments: [String], expected: String
    ) async throws {
        let outcome = try await FoyerProcess.run(
            ["storyboard"] + arguments, in: TemporaryDirectory())
        expectRefusal(outcome, expected)
    }

    @Test(arguments: ["--help", "--version"])
    func `help and version are printed without starting the server`(
        flag: String
    ) async throws {
        let outcome = try await FoyerProcess.run([flag], in: TemporaryDirectory())
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("foyer"))
        #expect(outcome.errors == "")
    }

    @Test func `a second process with the same data folder is refused`() async throws {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        let other = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: other)
        expectRefusal(outcome)
        #expect(await first.stop() == 0)
    }

    @Test func `manifest errors are logged at the start, one per line`() async throws {
        let scratch = try TemporaryDirectory()
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

    @Test func `foyer exits cleanly while streams are open`() async throws {
        let foyer = try await FoyerProcess.start(in: TemporaryDirectory())
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
            // Reads to the end of the stream: the connection is not left open.
            _ = await listener.all()
        }
    }
}
