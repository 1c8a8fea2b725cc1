import CQrencode

/// A QR code (ISO/IEC 18004) of a text.
package struct QRCode: Sendable, Equatable {
    /// The number of modules in a row and in a column.
    package let width: Int
    /// The dark modules by row.
    private let rows: [[Bool]]

    /// Nil if the text is too long for a code, or contains a NUL.
    package init?(_ text: String) {
        guard !text.utf8.contains(0),
            let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        self.width = width
        // The lowest bit of a module is its color.
        rows = (0..<width).map { row in
            modules[row * width..<(row + 1) * width].map { $0 & 1 == 1 }
        }
    }

    /// An SVG image with the margin of four modules that readers need. It contains no `#`, so that
    /// it can follow `data:image/svg+xml;utf-8,` as it is.
    package func svg(moduleSize: Int = 4) -> String {
        let margin = 4
        let size = width + 2 * margin
        var path = ""
        for (row, modules) in rows.enumerated() {
            var column = 0
            while column < width {
                let length = modules[column...].prefix { $0 == modules[column] }.count
                if modules[column] {
                    path += "M\(column + margin) \(row + margin)h\(length)v1h-\(length)z"
                }
                column += length
            }
        }
        return """
            <?xml version="1.0"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size * moduleSize)" \
            height="\(size * moduleSize)" viewBox="0 0 \(size) \(size)" \
            shape-rendering="crispEdges"><rect width="\(size)" height="\(size)" fill="white"/>\
            <path d="\(path)" fill="black"/></svg>
            """
    }
}
