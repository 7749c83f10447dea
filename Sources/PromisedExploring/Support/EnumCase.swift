/// The name of an enum's case; nil if the value is no enum.
func enumCase(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return nil }
    return mirror.children.first?.label ?? "\(value)"
}
