import Glibc

/// How many files and sockets this process may hold open.
enum DescriptorLimit {
    /// Raises it to what the system allows; 1024, the usual start, is fewer
    /// than the connections a server takes.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
