import Glibc

/// Finds and configures the browser for screenshots.
package enum Chromium {
    /// Names of Chromium's executable, the most common first.
    package static let executableNames = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    ]

    /// The first of them in the folders of `path`, a `PATH` value.
    package static func find(path: String) -> String? {
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        for name in executableNames {
            for folder in folders {
                let file = "\(folder)/\(name)"
                if isExecutable(file) { return file }
            }
        }
        return nil
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
