// Both declare `sockaddr`, and the compiler chooses which one is used.
import CCurl
import Glibc

/// A resolved address, independent of its spelling.
struct PeerAddress: Equatable {
    /// Four bytes or sixteen; an IPv4 address mapped into IPv6 is four.
    let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }

    /// `127.0.0.1` or `[::1]`; nil for a name.
    init?(parsing host: String) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, host, &ipv4) == 1 {
            self.init(withUnsafeBytes(of: ipv4) { Array($0) })
            return
        }
        guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
        let inner = host.dropFirst().dropLast().prefix { $0 != "%" }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, String(inner), &ipv6) == 1 else { return nil }
        self.init(withUnsafeBytes(of: ipv6) { Array($0) })
    }

    /// A socket address of `length` bytes and its port; nil for a family that is not IP.
    static func read(_ address: UnsafeRawPointer, length: Int) -> (PeerAddress, port: UInt16)? {
        let family = address.loadUnaligned(as: sockaddr.self).sa_family
        switch Int32(family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let ipv4 = address.loadUnaligned(as: sockaddr_in.self)
            return (
                PeerAddress(withUnsafeBytes(of: ipv4.sin_addr) { Array($0) }),
                UInt16(bigEndian: ipv4.sin_port)
            )
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let ipv6 = address.loadUnaligned(as: sockaddr_in6.self)
            return (
                PeerAddress(withUnsafeBytes(of: ipv6.sin6_addr) { Array($0) }),
                UInt16(bigEndian: ipv6.sin6_port)
            )
        default: return nil
        }
    }

    /// 127.0.0.0/8 (RFC 1122, 3.2.1.3) and ::1 (RFC 4291, 2.5.3).
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// 0.0.0.0/8 and ::, which reach this machine too.
    var isUnspecified: Bool { bytes.count == 4 ? bytes[0] == 0 : bytes.allSatisfy { $0 == 0 } }

    /// 224.0.0.0/4 and above, and ff00::/8: not a single machine.
    var isMulticast: Bool { bytes.count == 4 ? bytes[0] >= 224 : bytes[0] == 0xFF }
}
