/// Masks white space in a template's own text, so that the library keeps a
/// paragraph as one piece.
///
/// kainjow cuts text at every blank and every line's end and walks the pieces
/// at each rendering. Bytes that never occur in UTF-8 stand for white space
/// here, and the shim turns them back while it copies the result. White space
/// the library must see stays: whatever decides whether a line holds nothing
/// but tags (such lines vanish).
///
/// A brace at the end of the text is masked too: a partial's tag may come to
/// stand behind it, and three braces are another tag than two.
enum WhitespaceMask {
    /// Appends `text`, the text between two tags, masked.
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
        // A first line with words is never dropped, so its end may vanish in
        // the piece; the same for the line that the next tag stands in.
        var start = text.startIndex
        if isBlank(text[..<first]) {
            // CR LF is one line's end.
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
