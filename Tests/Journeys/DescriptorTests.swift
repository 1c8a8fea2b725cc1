import Glibc
import Support
import Testing
import Web

/// foyer with a low limit of open files.
@Suite(.timeLimit(.minutes(10))) struct DescriptorTests {
    @Test func `foyer keeps responding with more clients than file descriptors`() async throws {
        let scratch = try TemporaryDirectory()
        let foyer = try await FoyerProcess.start(in: scratch, preparation: "ulimit -n 400")
        let host = "Host: 127.0.0.1:\(foyer.port)"
        var clients: [RawClient] = []
        for number in 0..<450 {
            let port = number % 5 == 4 ? foyer.backendPort : foyer.port
            // The system refuses some connections at the limit.
            guard let client = try? RawClient(port: port) else { continue }
            clients.append(client)
            switch number % 16 {
            case 0..<8: break
            case 8..<15: await client.send("GET /health HTTP/1.1\r\n\(host)\r\n")
            default:
                // The body is never complete: the call hangs at the backend until its deadline.
                await client.send(
                    "PUT /proxy/main/mystica/x HTTP/1.1\r\n\(host)\r\n"
                        + "Content-Length: 100000\r\n\r\nhalf")
            }
        }
        for _ in 0..<5 {
            let response = try await foyer.browser().send("GET", "/api/apps")
            #expect(response.status == 200)
        }
        withExtendedLifetime(clients) {}
        #expect(await foyer.stop() == 0)
        #expect(scratch.read(scratch.errors).contains("400 open files"))
    }

    @Test func `too low a limit of open files is reported in one line`() async throws {
        let scratch = try TemporaryDirectory()
        let outcome = try await FoyerProcess.run(
            ["--port", "0", "--backend-port", "0", "--data", scratch.data], in: scratch,
            preparation: "ulimit -n 100")
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("ulimit -n"))
    }
}
