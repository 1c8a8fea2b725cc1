import Glibc

/// The limit on open files and sockets of this process.
package enum DescriptorLimit {
    /// Raises the limit to the system's maximum and returns it. The usual default, 1024, is below
    /// the server's number of connections.
    @discardableResult package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let previous = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if previous < limit.rlim_max, setrlimit(resource, &limit) != 0 { limit.rlim_cur = previous }
        return Int(clamping: limit.rlim_cur)
    }
}
