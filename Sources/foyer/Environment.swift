import Glibc

/// The process's environment variables.
enum Environment {
    /// Those Foyer reads: its own, and where things usually are.
    static func current() -> [String: String] {
        var variables: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "PATH", "TMPDIR"] + Arguments.environmentVariables {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return variables
    }
}
