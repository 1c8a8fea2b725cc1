import Dispatch
import Glibc
import Synchronization

/// A Chromium without a window, its two pipes, and its end.
///
/// It leads a process group of its own: a Ctrl-C at the terminal is Foyer's
/// alone, and one signal ends it with every process it made. Where Foyer is
/// killed, its pipe closes, and Chromium ends by itself.
final class BrowserProcess: Sendable {
    private let pid: pid_t
    private let commandSocket: Int32
    private let responseSocket: Int32
    private let logPath: String
    private let isReaped = Mutex(false)
    private let writeQueue = DispatchQueue(label: "foyer.darkroom.write")
    private let readQueue = DispatchQueue(label: "foyer.darkroom.read")
    private let waitQueue = DispatchQueue(label: "foyer.darkroom.wait")

    /// Everything it keeps is kept in `folder`.
    init(_ executable: String, folder: String) throws(ScreenshotError) {
        let toIt = try Self.makeSocketPair()
        let fromIt: (read: Int32, write: Int32)
        do { fromIt = try Self.makeSocketPair() } catch {
            for end in [toIt.read, toIt.write] { close(end) }
            throw error
        }
        logPath = folder + "/chromium.log"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        // --remote-debugging-pipe reads at 3 and writes at 4.
        posix_spawn_file_actions_adddup2(&actions, toIt.read, 3)
        posix_spawn_file_actions_adddup2(&actions, fromIt.write, 4)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What Foyer ignores, its children need not.
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let words =
            [executable] + Chromium.flags + ["--user-data-dir=\(folder)/profile", "about:blank"]
        var pid: pid_t = 0
        let code = Self.withCStrings(words) { words in
            Self.withCStrings(Self.makeEnvironment(folder)) { environment in
                posix_spawn(&pid, executable, &actions, &attributes, words, environment)
            }
        }
        close(toIt.read)
        close(fromIt.write)
        guard code == 0 else {
            close(toIt.write)
            close(fromIt.read)
            throw .notStarted(reason: String(cString: strerror(code)))
        }
        self.pid = pid
        commandSocket = toIt.write
        responseSocket = fromIt.read
    }

    deinit {
        signal(SIGKILL)
        if !isReaped.withLock({ $0 }) { waitpid(pid, nil, 0) }
        close(commandSocket)
        close(responseSocket)
    }

    // MARK: The pipes

    /// Whoever reads too slowly holds up nobody but itself.
    func write(_ bytes: [UInt8]) {
        writeQueue.async { [self] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(commandSocket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                // The reader notices the end as well, and says so.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Hands over what comes, piece by piece, until the end: an empty one.
    func startReading(_ take: @escaping @Sendable ([UInt8]) -> Void) {
        readQueue.async { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(responseSocket, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                take(Array(buffer.prefix(max(0, count))))
                if count <= 0 { return }
            }
        }
    }

    // MARK: The end

    /// To it and every process it made.
    func signal(_ number: Int32) {
        isReaped.withLock { isReaped in
            // Once reaped, the number may be somebody else's.
            if !isReaped { _ = kill(-pid, number) }
        }
    }

    /// Returns when it has ended.
    func waitForExit() async {
        await withCheckedContinuation { done in
            waitQueue.async { [self] in
                var facts = siginfo_t()
                while waitid(P_PID, id_t(pid), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                // It is gone, the ones it made may not be.
                signal(SIGKILL)
                isReaped.withLock { isReaped in
                    guard !isReaped else { return }
                    waitpid(pid, nil, 0)
                    isReaped = true
                }
                done.resume()
            }
        }
    }

    /// The last line it wrote that tells of a failure, or the last at all.
    var lastLogLine: String? {
        let file = open(logPath, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(file, &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(
            separator: "\n"
        ).filter { !$0.contains("dbus") }
        let line = lines.last { $0.contains("FATAL") } ?? lines.last
        return line.map { String($0.prefix(300)) }
    }

    // MARK: Starting

    /// Both ends beyond the numbers a child is given, and closed in others.
    private static func makeSocketPair() throws(ScreenshotError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        // Writing to a socket nobody reads can do without SIGPIPE.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw .notStarted(reason: String(cString: strerror(errno)))
        }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        let reason = String(cString: strerror(errno))
        for end in ends { close(end) }
        guard moved.allSatisfy({ $0 >= 0 }) else {
            for end in moved where end >= 0 { close(end) }
            throw .notStarted(reason: reason)
        }
        return (moved[0], moved[1])
    }

    /// The caller's without Foyer's own, and with no folder but this one.
    private static func makeEnvironment(_ folder: String) -> [String] {
        let ours = [
            "TMPDIR": folder, "XDG_CONFIG_HOME": folder + "/config",
            "XDG_CACHE_HOME": folder + "/cache", "LANGUAGE": "en",
        ]
        var kept: [String] = []
        var next = environ
        while let word = next.pointee {
            let text = String(cString: word)
            let name = String(text.prefix { $0 != "=" })
            if ours[name] == nil, !name.hasPrefix("FOYER_") { kept.append(text) }
            next += 1
        }
        return kept + ours.map { "\($0)=\($1)" }.sorted()
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
