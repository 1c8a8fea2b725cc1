import Traffic
import Web

extension ExchangeDetail {
    /// The index of the token that the header field carries as a bearer token.
    func bearerTokenIndex(in field: Headers.Field) -> Int? {
        guard field.name.lowercased() == "authorization",
            field.value.lowercased().hasPrefix("bearer ")
        else { return nil }
        let numbered = filled(field.value, with: tokens.indices.map(String.init))
        guard numbered != field.value, let index = Int(numbered.dropFirst("bearer ".count)),
            tokens.indices.contains(index)
        else { return nil }
        return index
    }
}
