package import Web

/// What `{name}` stands for while a call is built or a text is shown.
package struct Variables: Sendable {
    /// Form fields, captured values, settings, device facts; later sources
    /// were put over earlier ones by whoever made it.
    package var values: [String: JSON]

    package init(_ values: [String: JSON] = [:]) { self.values = values }

    /// `text` with every known `{name}` filled; `{user.email}` walks members.
    /// An unknown one becomes empty.
    package func fill(_ text: String) -> String {
        preconditionFailure("not built yet")
    }

    /// The text cut into plain and filled pieces, so that a page can set the
    /// filled ones apart.
    package func pieces(_ text: String) -> [Piece] {
        preconditionFailure("not built yet")
    }

    package struct Piece: Sendable, Equatable {
        package var text: String
        package var filled: Bool
    }
}
