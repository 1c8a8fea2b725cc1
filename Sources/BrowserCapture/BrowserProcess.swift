import CGlibc
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A headless Chromium process with its two DevTools pipes, from spawn to exit.
///
/// It leads its own process group: a Ctrl-C at the terminal reaches only Foyer, and one signal ends
/// Chromium with all its child processes. If Foyer is killed, the pipe closes and Chromium exits.
final class BrowserProcess: Sendable {
    private let pid: pid_t
    private let commandSocket: Int32
    private let responseSocket: Int32
    private let logPath: String
    private let isReaped = Mutex(false)
    private let writeQueue = DispatchQueue(label: "foyer.browser-capture.write")
    private let readQueue = DispatchQueue(label: "foyer.browser-capture.read")
    private let waitQueue = DispatchQueue(label: "foyer.browser-capture.wait")

    /// Starts `executable`; all its files are in `folder`.
    init(_ executable: String, folder: String) throws(ScreenshotError) {
        let commandPair = try Self.makeSocketPair()
        let responsePair: (read: Int32, write: Int32)
        do { responsePair = try Self.makeSocketPair() } catch {
            for descriptor in [commandPair.read, commandPair.write] { close(descriptor) }
            throw error
        }
        logPath = folder + "/chromium.log"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, logPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        // --remote-debugging-pipe reads from descriptor 3 and writes to 4.
        posix_spawn_file_actions_adddup2(&actions, commandPair.read, 3)
        posix_spawn_file_actions_adddup2(&actions, responsePair.write, 4)
        // libcurl's own sockets stay open on exec.
        posix_spawn_file_actions_addclosefrom_np(&actions, 5)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Foyer's ignored signals get their default action in the child.
        var defaultSignals = sigset_t()
        sigemptyset(&defaultSignals)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaultSignals, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaultSignals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let arguments =
            [executable] + Chromium.flags + ["--user-data-dir=\(folder)/profile", "about:blank"]
        var pid: pid_t = 0
        let code = Self.withCStrings(arguments) { arguments in
            Self.withCStrings(Self.makeEnvironment(folder)) { environment in
                posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        close(commandPair.read)
        close(responsePair.write)
        guard code == 0 else {
            close(commandPair.write)
            close(responsePair.read)
            throw .notStarted(reason: String(cString: strerror(code)))
        }
        self.pid = pid
        commandSocket = commandPair.write
        responseSocket = responsePair.read
    }

    deinit {
        signal(SIGKILL)
        if !isReaped.withLock({ $0 }) { waitpid(pid, nil, 0) }
        close(commandSocket)
        close(responseSocket)
    }

    // MARK: Pipes

    /// Queues `bytes`; a slow reader blocks only the write queue.
    func write(_ bytes: [UInt8]) {
        writeQueue.async { [self] in
            var remaining = bytes[...]
            while !remaining.isEmpty {
                let count = remaining.withUnsafeBytes {
                    send(commandSocket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                // The read queue notices the end as well and reports it.
                guard count > 0 else { return }
                remaining = remaining.dropFirst(count)
            }
        }
    }

    /// Passes each received chunk to `receive`, and an empty one at the end.
    func startReading(_ receive: @escaping @Sendable ([UInt8]) -> Void) {
        readQueue.async { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(responseSocket, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                receive(Array(buffer.prefix(max(0, count))))
                if count <= 0 { return }
            }
        }
    }

    // MARK: Exit

    /// Sends a signal to the process and its children.
    func signal(_ number: Int32) {
        isReaped.withLock { isReaped in
            // After reaping, the process id may belong to another process.
            if !isReaped { _ = kill(-pid, number) }
        }
    }

    /// Waits for the process to exit and reaps it.
    func waitForExit() async {
        await withCheckedContinuation { continuation in
            waitQueue.async { [self] in
                var info = siginfo_t()
                while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                // Its child processes may still run.
                signal(SIGKILL)
                isReaped.withLock { isReaped in
                    guard !isReaped else { return }
                    waitpid(pid, nil, 0)
                    isReaped = true
                }
                continuation.resume()
            }
        }
    }

    /// The last log line that reports a fatal error, or else the last line.
    var lastLogLine: String? {
        guard let log = FileManager.default.contents(atPath: logPath) else { return nil }
        let lines = String(decoding: log.prefix(1 << 16), as: UTF8.self).split(separator: "\n")
            .filter { !$0.contains("dbus") }
        let line = lines.last { $0.contains("FATAL") } ?? lines.last
        return line.map { String($0.prefix(300)) }
    }

    // MARK: Starting

    /// A socket pair with descriptors above those passed to the child, closed on exec.
    private static func makeSocketPair() throws(ScreenshotError) -> (read: Int32, write: Int32) {
        var descriptors: [Int32] = [-1, -1]
        // Unlike a pipe, a socket can be written with MSG_NOSIGNAL, without SIGPIPE.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else {
            throw .notStarted(reason: String(cString: strerror(errno)))
        }
        let duplicates = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        let reason = String(cString: strerror(errno))
        for descriptor in descriptors { close(descriptor) }
        guard duplicates.allSatisfy({ $0 >= 0 }) else {
            for descriptor in duplicates where descriptor >= 0 { close(descriptor) }
            throw .notStarted(reason: reason)
        }
        return (duplicates[0], duplicates[1])
    }

    /// The process environment without `FOYER_` variables, with temporary, config and cache folders
    /// inside `folder`.
    private static func makeEnvironment(_ folder: String) -> [String] {
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("FOYER_") }
        variables["TMPDIR"] = folder
        variables["XDG_CONFIG_HOME"] = folder + "/config"
        variables["XDG_CACHE_HOME"] = folder + "/cache"
        variables["LANGUAGE"] = "en"
        return variables.map { "\($0)=\($1)" }
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// Finds and configures the browser for screenshots.
package enum Chromium {
    /// Names of Chromium's executable, the most common first.
    package static let executableNames = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    ]

    /// The first of them in the folders of `path`, a `PATH` value.
    package static func find(path: String) -> String? {
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        let files = executableNames.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
        return files.first(where: isExecutable)
    }

    package static func isExecutable(_ file: String) -> Bool {
        var fileStatus = stat()
        return stat(file, &fileStatus) == 0 && fileStatus.st_mode & S_IFMT == S_IFREG
            && access(file, X_OK) == 0
    }

    /// As root, Chromium starts only without its sandbox.
    static var flags: [String] {
        (geteuid() == 0 ? ["--no-sandbox"] : []) + [
            "--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync",
            "--disable-component-update", "--disable-background-networking", "--disable-breakpad",
            "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
            "--password-store=basic", "--mute-audio", "--no-proxy-server",
            // The same image on every machine.
            "--hide-scrollbars", "--force-color-profile=srgb", "--font-render-hinting=none",
            "--lang=en",
        ]
    }
}
