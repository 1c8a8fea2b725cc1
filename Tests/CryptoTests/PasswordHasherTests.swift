import Glibc
import Support
import Synchronization
import Testing

@testable import Crypto

@Suite(.timeLimit(.minutes(10))) struct PasswordHasherTests {
    let hasher = PasswordHasher(cost: 1)

    @Test(arguments: ["", "correct horse", "pässwörd 🔑", " spaced "])
    func `a password is known by its hash`(_ password: String) async throws {
        let hash = try await hasher.hash(password)
        #expect(hash.hasPrefix("$y$"))
        #expect(password.isEmpty || !hash.contains(password))
        #expect(try await hasher.verify(password, against: hash))
        #expect(try await !hasher.verify(password + "x", against: hash))
    }

    @Test func `a hash made elsewhere is understood`() async throws {
        let hash = "$y$j75$abcdefghijklmnopqrstu.$qCj3FJAOxenL84GhXQA.5yo90njyP/oqBzssCfadkhA"
        #expect(try await hasher.verify("correct horse", against: hash))
        #expect(try await !hasher.verify("correct house", against: hash))
    }

    @Test func `equal passwords have different hashes`() async throws {
        let first = try await hasher.hash("same")
        #expect(try await hasher.hash("same") != first)
    }

    @Test func `nobody is never let in`() async throws {
        #expect(try await !hasher.verify("nobody's password", against: nil))
        #expect(try await !hasher.verify("", against: nil))
    }

    @Test(arguments: ["", "*0", "plain", "$y$", "$9$unknown$salt"])
    func `what is no hash lets nobody in`(_ hash: String) async {
        let error = await #expect(throws: CryptoError.self) {
            let isRight = try await hasher.verify("plain", against: hash)
            // `crypt` may take some of these for parameters of its own.
            if !isRight { throw CryptoError(kind: .malformed, detail: "refused") }
        }
        #expect(error?.kind == .malformed)
    }

    @Test(arguments: ["a\0b", String(repeating: "x", count: 512)])
    func `a password crypt would cut is refused`(_ password: String) async throws {
        let error = await #expect(throws: CryptoError.self) { _ = try await hasher.hash(password) }
        #expect(error?.kind == .malformed)
        let cut = try await hasher.hash(String(password.prefix { $0 != "\0" }.prefix(511)))
        #expect(try await !hasher.verify(password, against: cut))
    }
}

@Suite(.timeLimit(.minutes(10))) struct HashingQueueTests {
    @Test func `two run, 256 wait, and the next is told to come back`() async throws {
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
            // The 42 refused come back at once, the others after the gate.
            var refused = 0
            while refused < 42, let kind = await group.next() {
                #expect(kind == .busy)
                refused += 1
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

    /// On as many processors as it has lanes, too.
    @Test func `tasks go on while every lane is busy`() async throws {
        let queue = HashingQueue()
        let lanes = Lanes()
        let busy: @Sendable () -> Bool = {
            lanes.enter()
            let end = ContinuousClock.now + .seconds(60)
            while !lanes.mayLeave, .now < end { sched_yield() }
            return lanes.mayLeave
        }
        async let one = queue.run(busy)
        async let two = queue.run(busy)
        while lanes.busy < 2 { await Task.yield() }
        lanes.leave()
        let left = try await (one, two)
        #expect(left == (true, true))
    }

    private final class Lanes: Sendable {
        private let state = Mutex((busy: 0, mayLeave: false))

        var busy: Int { state.withLock { $0.busy } }
        var mayLeave: Bool { state.withLock { $0.mayLeave } }
        func enter() { state.withLock { $0.busy += 1 } }
        func leave() { state.withLock { $0.mayLeave = true } }
    }
}
