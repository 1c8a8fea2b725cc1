import HTTPClient
import HTTPServer

/// Maximum number of connections for each part of the process.
///
/// The defaults, or fewer if the system allows fewer descriptors: a process without free
/// descriptors cannot read a file, and libdispatch, which opens one to inspect its threads,
/// terminates the process when it cannot.
struct ConnectionBudget: Equatable {
    /// Connections to the console.
    let console: Int
    /// Connections to the embedded backend.
    let backend: Int
    /// Concurrent calls to backends.
    let outgoingCalls: Int
    /// Connections to backends that are kept open for the next call.
    let idleConnections: Int
    /// Limit on open descriptors of the process.
    let descriptors: Int

    /// For databases, templates, libraries, the runtime, and inherited descriptors.
    private static let reservedDescriptors = 192
    /// With fewer connections one or two browsers would exhaust the console.
    private static let minimumConnections = 64

    private static let defaults = (
        server: ServerConfiguration(port: 0).connectionLimit,
        calls: ClientConfiguration().transferLimit, kept: ClientConfiguration().idleConnectionLimit
    )

    /// A call uses a pair of sockets for its name lookup, and may try two addresses at once.
    private static let fullDemand = 2 * defaults.server + 2 * defaults.calls + defaults.kept

    init(descriptors: Int) throws(StartError) {
        let free = descriptors - Self.reservedDescriptors
        guard free >= Self.minimumConnections else {
            throw StartError(
                "the system limits this process to \(descriptors) open files; foyer needs "
                    + "\(Self.reservedDescriptors + Self.minimumConnections): raise it with ulimit -n."
            )
        }
        let share = { (defaultCount: Int) in
            free >= Self.fullDemand ? defaultCount : max(defaultCount * free / Self.fullDemand, 2)
        }
        console = share(Self.defaults.server)
        backend = share(Self.defaults.server)
        outgoingCalls = share(Self.defaults.calls)
        idleConnections = share(Self.defaults.kept)
        self.descriptors = descriptors
    }

    /// Warning at start; nil if the defaults fit.
    var warning: String? {
        guard console < Self.defaults.server else { return nil }
        return "the system limits this process to \(descriptors) open files (ulimit -n): "
            + "\(console) connections to the console, \(backend) to the embedded backend and "
            + "\(outgoingCalls) concurrent calls."
    }
}
