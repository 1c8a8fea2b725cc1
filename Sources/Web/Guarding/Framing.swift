/// Refuses requests that two readers could cut in two places.
///
/// libmicrohttpd accepts both lengths at once, lengths that differ, folded
/// lines and control characters in values (RFC 9112, 6.3 and 11.2).
package enum Framing {
    package static func check(_ request: Request) throws(Problem) {
        let lengths = Set(request.headers.all("Content-Length"))
        let codings = request.headers.all("Transfer-Encoding")
        guard lengths.count <= 1, lengths.isEmpty || codings.isEmpty else {
            throw malformed("it tells its length twice")
        }
        if let coding = codings.first,
            codings.count > 1 || coding.lowercased() != "chunked"
        {
            throw malformed("its transfer encoding is unknown")
        }
        for field in request.headers.fields {
            guard !field.value.utf8.contains(where: isControl) else {
                throw malformed("a header holds a control character")
            }
        }
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x09) || byte == 0x7F
    }

    private static func malformed(_ why: String) -> Problem {
        Problem(
            status: 400, code: "malformed-request",
            title: "The request is malformed", detail: "It is refused: \(why).")
    }
}
