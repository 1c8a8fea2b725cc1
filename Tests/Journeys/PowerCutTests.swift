import Support
import Synchronization
import Testing
import Web

/// What was acknowledged survives the process.
@Suite(.timeLimit(.minutes(10))) struct PowerCutTests {
    private struct Registration: Sendable {
        var device: String
        var email: String
    }

    /// Those that were told of.
    private final class Ledger: Sendable {
        private let kept = Mutex<[Registration]>([])
        var all: [Registration] { kept.withLock { $0 } }
        func add(_ one: Registration) { kept.withLock { $0.append(one) } }
    }

    @Test func `SIGKILL among a thousand registrations loses none told of`() async throws {
        let scratch = try TemporaryDirectory()
        let first = try await FoyerProcess.start(in: scratch)
        let told = Ledger()

        // Eight people register one after the other, a thousand in all,
        // until the power goes.
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    guard let browser = try? first.visitor() else { return }
                    for number in 0..<125 {
                        let email = "p\(worker)-\(number)@example.com"
                        guard let device = try? await browser.makeDevice(),
                            let answer = try? await browser.register(email, device: device)
                        else { return }
                        guard answer.status == 303 else { return }
                        told.add(.init(device: device, email: email))
                    }
                }
            }
            group.addTask {
                while told.all.count < 250 { try? await Task.sleep(for: .milliseconds(5)) }
                await first.kill()
            }
        }

        let acknowledged = told.all
        #expect(acknowledged.count >= 250)
        #expect(acknowledged.count < 1_000)
        let second = try await FoyerProcess.start(in: scratch)
        let browser = try second.visitor()
        for one in acknowledged {
            let state = try await browser.json("GET", "/api/devices/\(one.device)/apps/mystica")
            #expect(state["session"]?["user"]?["email"]?.string == one.email)
            #expect(state["screen"]?.string == "verify")
            let mails = try await browser.json("GET", "/api/mailbox?to=\(one.email)")
            #expect(mails["total"]?.int == 1)
        }
        // What it kept for itself opens too: the last one's tokens work.
        let last = try #require(acknowledged.last)
        let state = try await browser.json(
            "POST", "/api/devices/\(last.device)/apps/mystica/relaunch")
        #expect(state["screen"]?.string == "verify")
        #expect(await second.stop() == 0)
    }
}
