import Glibc
import Support
import Synchronization
import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct PasswordHasherTests {
    let hasher = PasswordHasher(cost: 1)

    @Test(arguments: ["", "correct horse", "pässwörd 🔑", " spaced "])
    func `a password is verified against its hash`(_ password: String) async throws {
        let hash = try await hasher.hash(password)
        #expect(hash.hasPrefix("$y$"))
        #expect(password.isEmpty || !hash.contains(password))
        #expect(try await hasher.verify(password, against: hash))
        #expect(try await !hasher.verify(password + "x", against: hash))
    }

    @Test func `a hash of another program is verified`() async throws {
        let hash = "$y$j75$abcdefghijklmnopqrstu.$qCj3FJAOxenL84GhXQA.5yo90njyP/oqBzssCfadkhA"
        #expect(try await hasher.verify("correct horse", against: hash))
        #expect(try await !hasher.verify("correct house", against: hash))
    }

    @Test func `equal passwords have different hashes`() async throws {
        let first = try await hasher.hash("same")
        #expect(try await hasher.hash("same") != first)
    }

    @Test func `a public password gets the fastest hash, and others the chosen cost`() async throws
    {
        let hasher = PasswordHasher(cost: 5, publicPasswords: ["public"])
        let hash = try await hasher.hash("public")
        #expect(hash.hasPrefix("$y$j75$"))
        #expect(try await hasher.verify("public", against: hash))
        #expect(try await !hasher.verify("private", against: hash))
        #expect(try await hasher.hash("private").hasPrefix("$y$j9T$"))
    }

    @Test func `without a hash no password is verified`() async throws {
        #expect(try await !hasher.verify("nobody's password", against: nil))
        #expect(try await !hasher.verify("", against: nil))
    }

    @Test(arguments: ["", "*0", "plain", "$y$", "$9$unknown$salt"])
    func `an invalid hash verifies no password`(_ hash: String) async {
        let error = await #expect(throws: CryptoError.self) {
            let isVerified = try await hasher.verify("plain", against: hash)
            // `crypt` may read some of these as parameters of its own.
            if !isVerified { throw CryptoError(kind: .malformed, detail: "refused") }
        }
        #expect(error?.kind == .malformed)
    }

    @Test(arguments: ["a\0b", String(repeating: "x", count: 512)])
    func `a password that crypt would truncate is rejected`(_ password: String) async throws {
        let error = await #expect(throws: CryptoError.self) { _ = try await hasher.hash(password) }
        #expect(error?.kind == .malformed)
        let truncated = try await hasher.hash(String(password.prefix { $0 != "\0" }.prefix(511)))
        #expect(try await !hasher.verify(password, against: truncated))
    }
}

@Suite(.timeLimit(.minutes(10))) struct HashingQueueTests {
    @Test func `two jobs run, 256 wait, and further ones are rejected as busy`() async throws {
        let queue = HashingQueue()
        let gate = Gate()
        await withTaskGroup(of: CryptoError.Kind?.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    do throws(CryptoError) {
                        try await queue.run { gate.wait() }
                        return nil
                    } catch { return error.kind }
                }
            }
            // The 42 rejected jobs return immediately, the others after the gate is opened.
            var rejected = 0
            while rejected < 42, let kind = await group.next() {
                #expect(kind == .busy)
                rejected += 1
            }
            let hasher = PasswordHasher(cost: 1, queue: queue)
            let error = await #expect(throws: CryptoError.self) {
                try await hasher.verify("x", against: nil)
            }
            #expect(error?.kind == .busy)
            gate.open()
            for await kind in group { #expect(kind == nil) }
        }
    }

    /// Even on a machine with only as many processors as the queue has lanes.
    @Test func `tasks continue while every lane is busy`() async throws {
        let queue = HashingQueue()
        let lanes = Lanes()
        let blockLane: @Sendable () -> Bool = {
            lanes.enter()
            let end = ContinuousClock.now + .seconds(60)
            while !lanes.isReleased, .now < end { sched_yield() }
            return lanes.isReleased
        }
        async let one = queue.run(blockLane)
        async let two = queue.run(blockLane)
        while lanes.busy < 2 { await Task.yield() }
        lanes.release()
        let results = try await (one, two)
        #expect(results == (true, true))
    }

    private final class Lanes: Sendable {
        private let state = Mutex((busy: 0, isReleased: false))

        var busy: Int { state.withLock { $0.busy } }
        var isReleased: Bool { state.withLock { $0.isReleased } }
        func enter() { state.withLock { $0.busy += 1 } }
        func release() { state.withLock { $0.isReleased = true } }
    }
}
