extension JSON {
    /// A text as JSON-LD writes one: plain, a number, with a language (`{"@value": …}`), or the first of
    /// several.
    var text: String? {
        switch elements.first {
        case .string(let text), .number(let text): return text
        case .object(let members):
            switch members["@value"] {
            case .string(let text), .number(let text): return text
            default: return nil
            }
        default: return nil
        }
    }
}
