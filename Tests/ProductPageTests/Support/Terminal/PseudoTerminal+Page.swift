#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    extension PseudoTerminal {
        /// With a shop that answers at once.
        static func page(
            _ home: borrowing TemporaryFolder, _ arguments: String..., columns: Int = 80,
            environment: [String: String] = [:], shell: String? = nil
        ) throws -> PseudoTerminal {
            try PseudoTerminal(
                home, ["--latency", "0"] + arguments, columns: columns, environment: environment,
                shell: shell)
        }

        /// Everything that is promised at the end: the code, the terminal as it was, and nothing strange in
        /// between.
        func expectEnd(
            _ code: Int32, talk: String = "", sourceLocation: Testing.SourceLocation = #_sourceLocation
        ) async throws {
            #expect(await end() == code, sourceLocation: sourceLocation)
            #expect(try settingsNow == settings, sourceLocation: sourceLocation)
            #expect(screen.strange == [], sourceLocation: sourceLocation)
            #expect(!screen.isAlternate && screen.showsCursor, sourceLocation: sourceLocation)
            #expect(screen.breaksLines && !screen.marksPastes, sourceLocation: sourceLocation)
            #expect(screen.text.trimmingCharacters(in: .newlines) == talk, sourceLocation: sourceLocation)
        }
    }
#endif
