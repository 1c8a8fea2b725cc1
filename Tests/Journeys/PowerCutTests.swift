import Support
import Synchronization
import Testing
import Web

/// Acknowledged registrations survive SIGKILL.
@Suite(.timeLimit(.minutes(10))) struct PowerCutTests {
    private struct Registration: Sendable {
        var device: String
        var email: String
    }

    /// The registrations that got a success response.
    private final class AcknowledgedRegistrations: Sendable {
        private let list = Mutex<[Registration]>([])
        var all: [Registration] { list.withLock { $0 } }
        func add(_ registration: Registration) { list.withLock { $0.append(registration) } }
    }

    @Test func `SIGKILL during a thousand registrations loses no acknowledged one`() async throws {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        let registrations = AcknowledgedRegistrations()

        // Eight workers register up to a thousand accounts until the process is killed.
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    guard let browser = try? first.browser() else { return }
                    for number in 0..<125 {
                        let email = "p\(worker)-\(number)@example.com"
                        guard let device = try? await browser.makeDevice(),
                            let response = try? await browser.register(email, device: device)
                        else { return }
                        guard response.status == 303 else { return }
                        registrations.add(.init(device: device, email: email))
                    }
                }
            }
            group.addTask {
                while registrations.all.count < 250 { try? await Task.sleep(for: .milliseconds(5)) }
                await first.kill()
            }
        }

        let acknowledged = registrations.all
        #expect(acknowledged.count >= 250)
        #expect(acknowledged.count < 1_000)
        let second = try await FoyerProcess.start(in: scratch)
        let browser = try second.browser()
        for registration in acknowledged {
            let state = try await browser.json(
                "GET", "/api/devices/\(registration.device)/apps/mystica")
            #expect(state["session"]?["user"]?["email"]?.string == registration.email)
            #expect(state["screen"]?.string == "verify")
            let mails = try await browser.json("GET", "/api/mailbox?to=\(registration.email)")
            #expect(mails["total"]?.int == 1)
        }
        // Sealed data can be unsealed too: the last registration's tokens work.
        let last = try #require(acknowledged.last)
        let state = try await browser.json(
            "POST", "/api/devices/\(last.device)/apps/mystica/relaunch")
        #expect(state["screen"]?.string == "verify")
        #expect(await second.stop() == 0)
    }
}
