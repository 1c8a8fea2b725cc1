/// Masks white space in a template's text, so that the library treats a paragraph as one token.
///
/// kainjow splits text at every blank and line end and visits the tokens at each rendering. Bytes
/// that never occur in UTF-8 replace the white space, and the shim restores it while copying the
/// result. White space that the library must see is not masked: it decides whether a line contains
/// only tags (such lines are removed).
///
/// A brace at the end of the text is masked too: a partial's tag may follow it after inlining, and
/// three braces are a different tag than two.
enum WhitespaceMask {
    /// Appends `text`, the text between two tags, with its white space masked.
    static func append(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        guard text.last != UInt8(ascii: "{") else {
            append(text.dropLast(), to: &output)
            output.append(0xFC)
            return
        }
        guard let first = text.firstIndex(where: isLineEnd),
            let last = text.lastIndex(where: isLineEnd)
        else {
            append(text, masking: !isBlank(text), to: &output)
            return
        }
        // A first line with words is never removed, so its end may be masked; the same holds for
        // the line the next tag is in.
        var start = text.startIndex
        if isBlank(text[..<first]) {
            // CR LF is one line end.
            let next = first + 1
            let isPair = text[first] == 0x0D && next < text.endIndex && text[next] == 0x0A
            start = isPair ? next + 1 : next
        }
        var end = text.endIndex
        if isBlank(text[(last + 1)...]) {
            let isPair = text[last] == 0x0A && last > text.startIndex && text[last - 1] == 0x0D
            end = isPair ? last - 1 : last
        }
        guard start < end else {
            output.append(contentsOf: text)
            return
        }
        output.append(contentsOf: text[..<start])
        append(text[start..<end], masking: true, to: &output)
        output.append(contentsOf: text[end...])
    }

    private static func append(_ text: ArraySlice<UInt8>, masking: Bool, to output: inout [UInt8]) {
        guard masking, !isBlank(text) else {
            output.append(contentsOf: text)
            return
        }
        for byte in text {
            switch byte {
            case 0x20: output.append(0xF8)
            case 0x0A: output.append(0xF9)
            case 0x09: output.append(0xFA)
            case 0x0D: output.append(0xFB)
            default: output.append(byte)
            }
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isBlank(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0 == 0x20 || $0 == 0x09 || isLineEnd($0) }
    }
}
