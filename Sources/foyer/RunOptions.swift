/// Options of a run, from flags and variables.
struct RunOptions: Equatable {
    /// The console's port; 0 selects a free one.
    var port: UInt16 = 7070
    /// The embedded backend's port; 0 selects a free one.
    var backendPort: UInt16 = 7071
    /// The SMTP server's port; 0 selects a free one, nil starts none.
    var smtpPort: UInt16?
    /// The folder of databases and keys; created with mode 0700.
    var dataPath = ""
    var key: KeySource = .stored
    /// A folder with further apps, one folder each.
    var appsFolder: String?
    /// The folder with `templates/` and `Public/`.
    var rootFolder: String?
    /// The address both servers listen on.
    var bindAddress = "127.0.0.1"
    /// Names a browser may use for this machine, besides loopback's.
    var extraHosts: [String] = []

    /// Retention of exchanges in each workspace: their number and their age in days.
    var exchangeLimit = 5_000
    var retentionDays = 7

    /// The yescrypt cost of passwords in the embedded backend.
    var passwordCost = 5

    /// Chromium's executable; if nil, it is searched for in `searchPath`.
    var chromiumFile: String?
    var searchPath = ""
    /// Where temporary folders are created.
    var temporaryFolder = "/tmp"

    enum KeySource: Equatable {
        /// Created at first start and stored in the data folder.
        case stored
        case explicit(String)
        case none
    }

    /// In the order of the help.
    static var table: [CommandOption<RunOptions>] {
        [
            .init(
                "--port", "FOYER_PORT", "PORT", "the console's port (7070)", sets: \.port,
                in: 0...65_535),
            .init(
                "--backend-port", "FOYER_BACKEND_PORT", "PORT",
                "the embedded backend's port (7071)", sets: \.backendPort, in: 0...65_535),
            .init(
                "--smtp-port", "FOYER_SMTP_PORT", "PORT",
                "receive mail of your own backends by SMTP (off; 1025 is usual)"
            ) { (options, text) throws(StartError) in
                guard let port = UInt16(text) else {
                    throw StartError(
                        "--smtp-port is \(text.prefix(20)); valid values: 0 to 65535.")
                }
                options.smtpPort = port
            },
            .init("--data", "FOYER_DATA", "DIR", "databases and keys ($XDG_DATA_HOME/foyer)") {
                $0.dataPath = $1
            },
            .init(
                "--key", "FOYER_KEY", "KEY", "the console's key, or none for disposable containers"
            ) { (options, key) throws(StartError) in
                guard key == "none" || isValidKey(key) else {
                    throw StartError(
                        "--key takes at least 16 letters, digits, - or _; omit it to generate one.")
                }
                options.key = key == "none" ? .none : .explicit(key)
            },
            .init("--apps", "FOYER_APPS", "DIR", "folder with your own apps", sets: \.appsFolder),
            .init(
                "--root", "FOYER_ROOT", "DIR",
                "folder of templates/ and Public/ (found automatically)", sets: \.rootFolder),
            .init(
                "--bind", "FOYER_BIND", "ADDRESS",
                "listen beyond loopback: anyone who reaches it and has the key can read your tokens"
            ) { $0.bindAddress = $1 },
            .init(
                "--keep", "FOYER_KEEP", "COUNT", "maximum recorded requests per workspace (5000)",
                sets: \.exchangeLimit, in: 1...10_000_000),
            .init(
                "--keep-days", "FOYER_KEEP_DAYS", "DAYS", "maximum age of recorded requests (7)",
                sets: \.retentionDays, in: 1...3_650),
            .init(
                "--password-cost", "FOYER_PASSWORD_COST", "COST",
                "yescrypt cost of passwords in the embedded backend, 1 to 11 (5)",
                sets: \.passwordCost, in: 1...11),
            .init(
                "--chromium", "CHROMIUM", "FILE",
                "Chromium's executable, for pictures (found in PATH)", sets: \.chromiumFile),
            .init(
                "--host", "FOYER_HOST", "NAME", "additional host name of this machine, with --bind"
            ) { $0.extraHosts.append($1) },
        ]
    }

    /// Whether a text can be the console's key.
    static func isValidKey(_ text: String) -> Bool {
        text.utf8.count >= 16 && text.allSatisfy(\.isASCII)
            && text.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    }

    /// Reads where programs and temporary folders are.
    mutating func readPaths(_ environment: [String: String]) {
        searchPath = environment["PATH"] ?? searchPath
        temporaryFolder = environment["TMPDIR"] ?? temporaryFolder
    }

    /// Sets the default data folder, and checks what concerns several options.
    mutating func complete(_ environment: [String: String]) throws(StartError) {
        readPaths(environment)
        if port == backendPort, port != 0 {
            throw StartError(
                "console and backend cannot share port \(port); use another one with "
                    + "--backend-port.")
        }
        if let smtpPort, smtpPort != 0, [port, backendPort].contains(smtpPort) {
            throw StartError(
                "SMTP cannot share port \(smtpPort); use another one with --smtp-port.")
        }
        guard dataPath.isEmpty else { return }
        if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") {
            dataPath = base + "/foyer"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            dataPath = home + "/.local/share/foyer"
        } else {
            throw StartError("there is no home folder for the data; use --data DIR.")
        }
    }
}
