extension Format {
    private static let numberWords = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ]

    /// `Two apps`: a number in words up to twelve, capitalized.
    static func spelled(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        spelled(number).capitalizedFirst + " " + (number == 1 ? singular : plural ?? singular + "s")
    }

    /// `four`.
    static func spelled(_ number: Int) -> String {
        numberWords.indices.contains(number) ? numberWords[number] : count(number)
    }
}
