extension Substring.UnicodeScalarView {
    /// Removes the first scalar if it is this one; returns whether it was.
    package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard first == scalar else { return false }
        removeFirst()
        return true
    }

    /// Removes and returns the first scalars that meet `condition`, at most `limit`.
    package mutating func take(atMost limit: Int = .max, while condition: (Unicode.Scalar) -> Bool)
        -> String
    {
        var count = 0
        let taken = prefix { scalar in
            count += 1
            return count <= limit && condition(scalar)
        }
        self = self[taken.endIndex...]
        return String(taken)
    }
}
