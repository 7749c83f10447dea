import Testing

/// Rules about what the library must not contain, checked on its source text.
@Suite struct SourceTextTests {
    /// The public declarations of a type in its own file and its extensions: the first two words after `public`.
    private func members(of type: String) throws -> [String] {
        var (inside, file) = (false, "")
        return try SourceText.lines().compactMap { line in
            if line.file != file { (inside, file) = (false, line.file) }
            let words = line.code.split(separator: " ")
            let isDeclaration =
                words.contains("extension") || words.contains("class") || words.contains("struct")
            if isDeclaration, line.code.hasSuffix("{") {
                inside = words.contains { $0.prefix { $0 != "<" && $0 != ":" && $0 != "." } == type }
            }
            guard inside, !isDeclaration, let place = words.firstIndex(of: "public"),
                words[place + 1] != "import"
            else { return nil }
            let names = words[(place + 1)...].filter { $0 != "static" && $0 != "convenience" }
            return names.prefix(2).joined(separator: " ").prefix { $0 != "(" && $0 != ":" && $0 != "<" }
                .description
        }
    }

    @Test("FS-04: of all public members of a system, only sendEvent changes its state") func oneWayIn()
        throws
    {
        // Each of these was reviewed: it makes a system, reads it, observes it, or ends it. Add a new one to this list
        // if the same is true of it.
        let harmless: Set = [
            "init", "func pure", "var state", "var settled", "var shown", "var history", "func stop",
            "func addBinding", "func addLoopCallback", "func onLoop", "func onError", "func observe",
            "func printChanges", "var eventsWithState", "var running",
            // Forwards what `sendEvent` takes.
            "func scoped",
            // Ends the delay of what `sendEvent` has taken.
            "func flush",
            // Waits for what `sendEvent` has taken, and drops what of it is queued.
            "func whenIdle", "func dropQueuedEvents",
        ]
        let members = try members(of: "System")
        #expect(Set(members).subtracting(harmless) == ["func sendEvent"])
        #expect(members.contains("var state"))
    }

    @Test("FS-04: no public member can be set, or gives projected or inout access to the state")
    func nothingToSet() throws {
        // The limits of a diff are a plain value that a caller makes for a call, and no part of a system.
        let lines = try SourceText.lines().filter {
            $0.code.contains("public") && $0.file != "Diagnostics/StateDiff.swift"
        }
        #expect(lines.count > 100)
        let settable = lines.filter { line in
            let words = line.code.split { !$0.isLetter }
            // A stored variable has no body on its line; a settable computed one has `set` there.
            let isStored = words.contains("var") && !line.code.hasSuffix("{") && !line.code.contains("{ ")
            return isStored || words.contains("set") || words.contains("_modify")
        }
        #expect(settable.map { "\($0.file):\($0.number)" } == [])
    }

    @Test("SR-49: the core never casts an event or a state to a type") func noCasts() throws {
        let casts = try SourceText.lines().filter { line in
            // A layer that compares any two states by their contents; the loop does not depend on their types.
            guard !line.file.hasPrefix("Diagnostics/"), !line.file.hasPrefix("Reports/") else { return false }
            let words = line.code.split { " ():,{}".contains($0) }
            let isConditional = words.contains("as?") || words.contains("as!") || words.contains("is")
            return isConditional || words.starts(with: ["case", "let"]) && words.contains("as")
        }
        // Keys, which are of any hashable type; the ids of parts; values in one table for
        // readers of all kinds; and broadcasts, of any type that work observes. A part of the state is only checked for
        // having changed. A scheduler that explores systems is informed of them, and one that hosts calls is asked; the
        // caller's work is known by its scheduler.
        let known: Set = [
            "value is any CustomStringConvertible || value is any CustomDebugStringConvertible",
            "case let key as EffectKey: key.value", "case let number as Int: .number(number)",
            "case let name as String: .name(name)",
            "default: type(of: value) is any Numeric.Type ? Self.number(value) : .other(Other(value: value))",
            "if type(of: right) == Left.self, let right = right as? Left {",
            "return Left.self is AnyClass && type(of: right) is AnyClass",
            "port.mayBeExplored && !(Payload.self is AnyClass) ? port.occasion(ofKey: key) : nil",
            "if let number = value as? any BinaryInteger {",
            "} else if let number = value as? any BinaryFloatingPoint {",
            "if part?.isOver != true, let value = value as? Value { action(value) }",
            "self.init(Part.self is any Identifiable.Type ? (part as? any Identifiable)?.anyID : nil)",
            "guard Part.self is any OptionalPart.Type, let part = part as? any OptionalPart else {",
            "part is any Identifiable.Type || (part as? any OptionalPart.Type)?.hasIdentity == true",
            "embedded(at: scope.key, acceptsAll: State.self is any Identifiable.Type || scope.outer != nil) {",
            "replacesElements = !findsByID && Element.self is any Identifiable.Type",
            "last = part.skipsRepeated || !(State.self is any Equatable.Type) ? nil : Memory()",
            "guard let left = left as? any Equatable else { return false }",
            "guard let other = other as? Self else { return false }",
            "if let object = entry.object as? Object { return object }",
            "guard let host = (scheduler as? any CallHosting)?.callHost else {",
            "let isExplored = (scheduler as? any SystemHost)?.created(self) ?? false",
            "return (workOfCaller as? any RunScheduler).map { .work($0) } ?? .outside",
            "@usableFromInline var mayBeExplored: Bool { scheduler is any SystemHost }",
        ]
        let unknown = casts.filter { !known.contains($0.code) }
        #expect(unknown.map { "\($0.file):\($0.number): \($0.code)" } == [])
        // Notices a search that finds nothing at all.
        #expect(casts.count >= 5)
    }
}
