/// Refuses requests that two readers could cut in two places.
///
/// libmicrohttpd accepts both lengths at once, lengths that differ, folded
/// lines and control characters in values (RFC 9112, 6.3 and 11.2).
package enum Framing {
    package static func check(_ request: Request) throws(Problem) {
        var hasLength = false
        var hasCoding = false
        for field in request.headers.fields {
            guard isToken(field.name) else {
                throw malformed("a header's name is no token")
            }
            guard !field.value.utf8.contains(where: isControl) else {
                throw malformed("a header holds a control character")
            }
            if Headers.same(field.name, "Content-Length") {
                guard !hasLength else {
                    throw malformed("it tells its length twice")
                }
                guard isNumber(field.value) else {
                    throw malformed("its length is no number")
                }
                hasLength = true
            } else if Headers.same(field.name, "Transfer-Encoding") {
                guard !hasCoding, Headers.same(field.value, "chunked") else {
                    throw malformed("its transfer encoding is unknown")
                }
                hasCoding = true
            }
        }
        guard !(hasLength && hasCoding) else {
            throw malformed("it tells its length twice")
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7F
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27,
                    0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E:
                    true
                default: false
                }
            }
    }

    private static func malformed(_ why: String) -> Problem {
        Problem(
            status: 400, code: "malformed-request",
            title: "The request is malformed", detail: "It is refused: \(why).",
            // What follows on the connection may be anything.
            headers: ["Connection": "close"])
    }
}
