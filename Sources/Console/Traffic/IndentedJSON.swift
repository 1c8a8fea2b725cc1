import Web

/// Indents JSON for display.
///
/// Changes only the whitespace between tokens: order, repetitions, numbers and escapes stay as
/// sent.
enum IndentedJSON {
    /// Nil if `text` is no JSON object or array, or is truncated (recorded bodies can be).
    static func text(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        switch try? JSONReader.read(bytes) {
        case .object, .array: break
        default: return nil
        }
        var writer = Writer()
        for byte in bytes { writer.write(byte) }
        return String(validating: writer.output, as: UTF8.self)
    }

    /// Formats bytes that are valid JSON.
    private struct Writer {
        var output: [UInt8] = []
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        /// Whether a bracket was just opened and is still empty.
        private var isJustOpened = false

        mutating func write(_ byte: UInt8) {
            guard !isInString else { return writeInString(byte) }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                beginValue()
                output.append(byte)
                depth += 1
                isJustOpened = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isJustOpened { newLine() }
                isJustOpened = false
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                newLine()
            case UInt8(ascii: ":"): output += [byte, 0x20]
            default:
                beginValue()
                output.append(byte)
                isInString = byte == UInt8(ascii: "\"")
            }
        }

        private mutating func writeInString(_ byte: UInt8) {
            output.append(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
        }

        private mutating func beginValue() {
            guard isJustOpened else { return }
            isJustOpened = false
            newLine()
        }

        private mutating func newLine() {
            output.append(0x0A)
            output += Array(repeating: 0x20, count: depth * 2)
        }
    }
}
