extension JSON {
    /// Parses RFC 8259 text; members keep their order.
    package init(parsing bytes: [UInt8]) throws(JSONReader.Failure) {
        self = try JSONReader.read(bytes)
    }

    /// Parses RFC 8259 text.
    package init(parsing text: String) throws(JSONReader.Failure) {
        try self.init(parsing: Array(text.utf8))
    }
}
