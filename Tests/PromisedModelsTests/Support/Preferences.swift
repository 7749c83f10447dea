import PromisedModels

enum Unsaved: PreferenceKey {
    static var defaultValue: Int { 0 }
    static func reduce(_ value: inout Int, with next: Int) { value += next }
}

enum Badge: PreferenceKey {
    static var defaultValue: Int { 0 }
    static func reduce(_ value: inout Int, with next: Int) { value += next }
}
