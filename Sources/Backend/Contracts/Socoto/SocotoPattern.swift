/// SQL's LIKE: `%` is any text, `_` any one character.
enum SocotoPattern {
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.unicodeScalars)
        let pattern = Array(pattern.unicodeScalars)
        var at = 0
        var place = 0
        // Where to come back to: behind the last `%`, one further in the
        // text each time. No recursion, so no text is too long.
        var back: (place: Int, at: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == "%" {
                place += 1
                back = (place, at)
            } else if place < pattern.count,
                pattern[place] == "_" || pattern[place] == text[at]
            {
                place += 1
                at += 1
            } else if let (after, from) = back {
                place = after
                at = from + 1
                back = (after, at)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "%" }
    }
}
