import CCrypt
import Core
import Dispatch
import Glibc
import Synchronization

/// Hashes passwords with yescrypt (`crypt(3)`) on its own queue.
///
/// At most two run at once and 256 wait; beyond that it throws `.busy`, so a flood of sign-ins
/// blocks neither pages nor the process.
package struct PasswordHasher: Sendable {
    private let cost: UInt
    private let publicPasswords: Set<String>
    private let queue: HashingQueue

    /// `cost` is yescrypt's, 1 … 11; 5 is Debian's default, tests use 1.
    ///
    /// `publicPasswords` can be read in Foyer's sources: a slow hash would not protect them, so
    /// they get the fastest.
    package init(cost: Int, publicPasswords: Set<String> = []) {
        self.init(cost: cost, publicPasswords: publicPasswords, queue: HashingQueue())
    }

    init(cost: Int, publicPasswords: Set<String> = [], queue: HashingQueue) {
        precondition((1...11).contains(cost), "yescrypt costs 1 … 11")
        self.cost = UInt(cost)
        self.publicPasswords = publicPasswords
        self.queue = queue
    }

    /// The hash in the format of `crypt(5)`, with a new salt.
    ///
    /// Throws `.malformed` for a password with a NUL or of more than 511 bytes, of which `crypt`
    /// would process only a part.
    package func hash(_ password: String) async throws(CryptoError) -> String {
        guard Crypt.canHash(password) else {
            throw CryptoError(
                kind: .malformed, detail: "a password has at most 511 bytes and no NUL")
        }
        let cost = publicPasswords.contains(password) ? 1 : cost
        return try await queue.run { () throws(CryptoError) in
            try Crypt.hash(password, setting: Crypt.makeSetting(cost: cost))
        }
    }

    /// Whether `password` has the hash `hash`. With nil (an unknown user) it takes the same time
    /// and returns false, so that timing does not reveal which users exist.
    package func verify(_ password: String, against hash: String?) async throws(CryptoError) -> Bool
    {
        let cost = cost
        return try await queue.run { () throws(CryptoError) in
            guard let hash, Crypt.canHash(password) else {
                let setting = try Crypt.makeSetting(cost: cost)
                _ = try Crypt.hash("an unknown password", setting: setting)
                return false
            }
            let computed = try Crypt.hash(password, setting: hash)
            return ConstantTime.areEqual(computed, hash)
        }
    }
}

/// Runs slow work two at a time, off the threads that serve pages.
final class HashingQueue: Sendable {
    private static let capacity = 256

    /// A serial queue gets its own thread; a concurrent one would occupy the threads that all tasks
    /// share.
    private let queues = (0..<2).map { DispatchQueue(label: "foyer.crypto.hashing.\($0)") }
    /// How much work each queue has, running or waiting.
    private let loads = Mutex([0, 0])

    /// Runs `work` on the queue with less of it; throws `.busy` if 256 wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(CryptoError) -> Value)
        async throws(CryptoError) -> Value
    {
        let index: Int? = loads.withLock { loads in
            guard loads[0] + loads[1] < Self.capacity + loads.count else { return nil }
            let index = loads[0] <= loads[1] ? 0 : 1
            loads[index] += 1
            return index
        }
        guard let index else {
            throw CryptoError(
                kind: .busy, detail: "\(Self.capacity) password checks are already waiting")
        }
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, CryptoError>, Never>) in
            queues[index].async {
                let result = Result { () throws(CryptoError) in try work() }
                self.loads.withLock { $0[index] -= 1 }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}

/// `crypt(3)`, which is slow by design: called only on the hashing queue.
enum Crypt {
    /// Whether `crypt` would process the complete password.
    static func canHash(_ password: String) -> Bool {
        password.utf8.count < Int(CRYPT_MAX_PASSPHRASE_SIZE) && !password.utf8.contains(0)
    }

    /// yescrypt's parameters with a new salt from the system.
    static func makeSetting(cost: UInt) throws(CryptoError) -> String {
        var output = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let setting = crypt_gensalt_rn("$y$", cost, nil, 0, &output, Int32(output.count))
        guard setting != nil else {
            throw CryptoError(
                kind: .library, detail: "crypt could not create a salt: \(errorMessage)")
        }
        return text(output)
    }

    /// The hash of `password` with the parameters and salt of `setting`, which may be a complete
    /// hash.
    static func hash(_ password: String, setting: String) throws(CryptoError) -> String {
        // 32 KiB, in which the library retains its input.
        let size = MemoryLayout<crypt_data>.size
        let data = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
        memset(data, 0, size)
        defer {
            explicit_bzero(data, size)
            data.deallocate()
        }
        // A result that starts with `*` is an error, not a hash.
        guard let hash = crypt_rn(password, setting, data, Int32(size)), hash.pointee != 0x2a else {
            throw CryptoError(kind: .malformed, detail: "crypt cannot use it: \(errorMessage)")
        }
        return String(cString: hash)
    }

    private static var errorMessage: String { String(cString: strerror(errno)) }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
