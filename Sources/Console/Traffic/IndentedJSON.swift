import Web

/// JSON laid out for reading.
///
/// Only the space between its tokens is changed: order, repetitions, numbers
/// and escapes stay as they were sent.
enum IndentedJSON {
    /// Nil if `text` is no JSON object or array, or has no end (recorded
    /// bodies are cut off).
    static func text(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        switch try? JSONReader.read(bytes) {
        case .object, .array: break
        default: return nil
        }
        var writer = Writer()
        for byte in bytes { writer.take(byte) }
        return String(validating: writer.out, as: UTF8.self)
    }

    /// Lays out what was found to be JSON.
    private struct Writer {
        var out: [UInt8] = []
        private var depth = 0
        private var inString = false
        private var escaped = false
        /// A bracket was opened and nothing stands in it yet.
        private var justOpened = false

        mutating func take(_ byte: UInt8) {
            guard !inString else { return takeInString(byte) }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                begin()
                out.append(byte)
                depth += 1
                justOpened = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !justOpened { newLine() }
                justOpened = false
                out.append(byte)
            case UInt8(ascii: ","):
                out.append(byte)
                newLine()
            case UInt8(ascii: ":"): out += [byte, 0x20]
            default:
                begin()
                out.append(byte)
                inString = byte == UInt8(ascii: "\"")
            }
        }

        private mutating func takeInString(_ byte: UInt8) {
            out.append(byte)
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
            }
        }

        private mutating func begin() {
            guard justOpened else { return }
            justOpened = false
            newLine()
        }

        private mutating func newLine() {
            out.append(0x0A)
            out += Array(repeating: 0x20, count: depth * 2)
        }
    }
}
