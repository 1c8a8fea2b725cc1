import Web

/// Where the body of a request ends, by its headers (RFC 9112, 6.3).
///
/// libmicrohttpd takes contradictions and sides with one of them; whoever
/// stands in front of us may side with the other.
enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
    case unclear(String)

    init(_ headers: Headers) {
        let lengths = headers.all("Content-Length")
        let codings = headers.all("Transfer-Encoding")
        switch (lengths.count, codings.count) {
        case (0, 0): self = .none
        case (1, 0):
            let text = lengths[0].utf8
            // 18 digits always fit an Int.
            guard (1...18).contains(text.count),
                text.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(lengths[0])
            else {
                self = .unclear("Content-Length is not a number")
                return
            }
            self = .length(length)
        case (0, 1) where codings[0].lowercased() == "chunked":
            self = .chunked
        case (0, _):
            self = .unclear("Transfer-Encoding is not plainly chunked")
        case (_, 0):
            self = .unclear("there is more than one Content-Length")
        default:
            self = .unclear(
                "Content-Length and Transfer-Encoding contradict each other")
        }
    }
}
