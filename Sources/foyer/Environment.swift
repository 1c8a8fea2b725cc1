import Glibc

/// The process's environment variables.
enum Environment {
    /// The variables that Foyer reads: its own, and standard locations.
    static func current() -> [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "PATH", "TMPDIR"] + Arguments.environmentVariables {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return variables
    }
}
