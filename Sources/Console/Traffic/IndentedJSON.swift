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
        var output: [UInt8] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        func startLine() { output += [0x0A] + Array(repeating: 0x20, count: depth * 2) }
        for byte in bytes {
            if isInString {
                output.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            let isAfterBracket = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(output.last)
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                // An empty object or array stays in one line.
                if !isAfterBracket { startLine() }
            default: if isAfterBracket { startLine() }
            }
            output.append(byte)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ","): startLine()
            case UInt8(ascii: ":"): output.append(0x20)
            case UInt8(ascii: "\""): isInString = true
            default: break
            }
        }
        return String(validating: output, as: UTF8.self)
    }
}
