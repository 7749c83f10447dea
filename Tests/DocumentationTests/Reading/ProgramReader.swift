/// Makes programs of the fences of one file, by the rules in `Tests/Fixtures/README.md`.
struct ProgramReader {
    private(set) var programs: [Program] = []
    private(set) var problems: [Problem] = []
    private let standard: Program.Kind
    private let module: String?

    /// - Parameters:
    /// - standard: What is done with a fence without an attribute.
    /// - module: The module that the file belongs to, if its fences are doc comments.
    init(_ fences: [Fence], standard: Program.Kind, module: String? = nil) {
        self.standard = standard
        self.module = module
        for fence in fences {
            if fence.language == "swift" {
                read(fence)
            } else if fence.attributes.contains("output") {
                expect(fence)
            } else if fence.attributes.contains("errors") {
                expectErrors(fence)
            }
        }
        for program in programs where program.kind == .refused && program.errors == nil {
            complain(program.fences[0], "no 'text errors' fence says what the compiler answers to this")
        }
    }

    private mutating func read(_ fence: Fence) {
        if fence.attributes.contains("continues") {
            join(fence)
            return
        }
        var program = Program(kind: standard, fences: [fence], module: module)
        for attribute in fence.attributes {
            switch attribute {
            case "compile": program.kind = .compile
            case "refused": program.kind = .refused
            case "run": program.kind = .run
            case "manifest": program.kind = .manifest
            case "main-actor": program.isMainActor = true
            case "frameworks": (program.kind, program.needsFrameworks) = (.compile, true)
            case _ where attribute.hasPrefix("as="):
                program.fileName = String(attribute.dropFirst("as=".count))
            case _ where attribute.hasPrefix("with="):
                program.neededFiles.append(String(attribute.dropFirst("with=".count)))
            default: complain(fence, "'\(attribute)' is not an attribute of a fence")
            }
        }
        programs.append(program)
    }

    private mutating func join(_ fence: Fence) {
        if fence.attributes.count > 1 {
            complain(fence, "a fence that continues another takes no other attribute: the first has them")
        } else if programs.isEmpty {
            complain(fence, "there is no Swift fence before this one to continue")
        } else {
            programs[programs.count - 1].fences.append(fence)
        }
    }

    private mutating func expect(_ fence: Fence) {
        guard let last = programs.last, last.kind == .run else {
            complain(fence, "the Swift fence before this output is not run, so it prints nothing")
            return
        }
        programs[programs.count - 1].output = (last.output ?? "") + fence.code
    }

    private mutating func expectErrors(_ fence: Fence) {
        guard let last = programs.last, last.kind == .refused else {
            complain(fence, "the Swift fence before these errors is not one that must be refused")
            return
        }
        programs[programs.count - 1].errors = fence.code
    }

    private mutating func complain(_ fence: Fence, _ message: String) {
        problems.append(Problem(place: fence.place, message: message))
    }
}
