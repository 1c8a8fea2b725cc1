import Glibc

/// Standard input, output and error, which a parent process may have closed.
enum StandardStreams {
    /// Opens `/dev/null` for those that are closed: otherwise the next file or socket gets their
    /// number, and receives output meant for the terminal.
    static func openMissing() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // open(2): "the lowest-numbered file descriptor not currently open", which is this one.
            guard open("/dev/null", O_RDWR) == descriptor else { _exit(2) }
        }
    }
}
