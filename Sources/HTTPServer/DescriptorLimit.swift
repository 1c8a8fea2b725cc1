import Glibc

/// How many files and sockets this process may hold open.
package enum DescriptorLimit {
    /// Raises it to what the system allows, and says how many that is; 1024,
    /// the usual start, is fewer than the connections a server takes.
    @discardableResult package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if before < limit.rlim_max, setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }
}
