extension Format {
    private static let numberWords = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ]

    /// `Two apps`: a number in words as far as twelve, at a sentence's start.
    static func spelled(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        spelled(number).capitalizedFirst + " " + (number == 1 ? one : many ?? one + "s")
    }

    /// `four`.
    static func spelled(_ number: Int) -> String {
        numberWords.indices.contains(number) ? numberWords[number] : count(number)
    }
}
