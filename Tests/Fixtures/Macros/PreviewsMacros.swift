import SwiftSyntax
import SwiftSyntaxMacros

/// SwiftUI's `#Preview`: the compiler checks its arguments against the stub's declaration, and it expands to nothing.
public struct SwiftUIView: DeclarationMacro {
    /// Nothing.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) -> [DeclSyntax] { [] }
}
