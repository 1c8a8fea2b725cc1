/// SQL text with `?` placeholders; values never enter it.
package struct StaticSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    package let text: String

    package init(stringLiteral value: String) { text = value }
}
