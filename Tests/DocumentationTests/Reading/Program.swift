/// One or more fences that are compiled together.
struct Program: Equatable, Sendable {
    /// What is done with a program.
    enum Kind: Equatable, Sendable {
        /// Compiled as a program of its own, linked with the library and run.
        case run
        /// Compiled as a program of its own, neither linked nor run.
        case compile
        /// Compiled as a program of its own, which must fail with the errors that the page quotes.
        case refused
        /// Compiled together with others of its kind: its types at file scope, the rest in an `async throws` function.
        case body
        /// Compiled as a package manifest.
        case manifest
    }

    var kind: Kind
    var fences: [Fence]
    /// A module that is imported implicitly: the one that a doc comment belongs to.
    var module: String?
    /// Whether declarations are isolated to the main actor by default.
    var isMainActor = false
    /// Whether it needs Apple's frameworks, or stubs of them; then it is compiled in both kinds of modules.
    var needsFrameworks = false
    /// The file name that other programs refer to it by.
    var fileName: String?
    /// The names of the files that it needs.
    var neededFiles: [String] = []
    /// Those files and what they need themselves; each is compiled as a file beside it.
    var files: [Program] = []
    /// What the program must print, exactly, if the page shows it.
    var output: String?
    /// The compiler's errors for a program that must be rejected, one message to a line.
    var errors: String?

    /// Where the program begins.
    var place: Place { fences[0].place }
    /// A name for the test's log, such as `README.md:12`.
    var name: String { "\(place.file):\(place.line)" }
}

extension Program {
    /// The text of a file in which the compiler's messages name the lines of the page.
    func source(path: (String) -> String) -> String {
        let imported = module.map { "import \($0)\n" } ?? ""
        if kind != .body {
            return imported + fences.map { $0.located($0.code, path: path) }.joined()
        }
        let lines = fences.map { $0.code.split(separator: "\n", omittingEmptySubsequences: false) }
        let imports = lines.joined().filter(\.isImport).map { $0 + "\n" }.joined()
        let parts = zip(fences, lines).map { fence, lines in
            let parts = BodyParts(lines.map { $0.isImport ? "" : $0 })
            let types = parts.types.allSatisfy(\.isNewline) ? "" : fence.located(parts.types, path: path)
            return (types, fence.located(parts.statements, path: path))
        }
        return imported + imports + parts.map(\.0).joined()
            + "private func example() async throws {\n" + parts.map(\.1).joined() + "}\n"
    }

    /// Whether the program has its own entry point.
    var hasMainAttribute: Bool {
        fences.contains { $0.code.split(separator: "\n").contains { $0.hasPrefix("@main") } }
    }

    /// Whether the program, or a file beside it, imports the module called `name`.
    func imports(_ name: String) -> Bool {
        let lines = (fences + files.flatMap(\.fences)).flatMap { $0.code.split(separator: "\n") }
        return module == name || lines.contains { $0.isImport && $0.split(separator: " ").last == name[...] }
    }
}

extension [Program] {
    /// Gives each program the files that it needs, wherever they are among these.
    ///
    /// - Returns: The problems: a name that does not exist, or exists twice.
    mutating func findFiles() -> [Problem] {
        var (named, problems) = ([String: Program](), [Problem]())
        for program in self {
            guard let name = program.fileName else { continue }
            if let other = named.updateValue(program, forKey: name) {
                problems.append(
                    Problem(place: program.place, message: "\(other.name) is called '\(name)' as well"))
            }
        }
        for index in indices {
            var (waiting, seen) = (self[index].neededFiles, Set<String>())
            while let name = waiting.popLast() {
                guard seen.insert(name).inserted else { continue }
                guard let file = named[name] else {
                    problems.append(
                        Problem(place: self[index].place, message: "no fence is called '\(name)'"))
                    continue
                }
                self[index].files.append(file)
                waiting += file.neededFiles
            }
        }
        return problems
    }
}

extension Fence {
    fileprivate func located(_ code: String, path: (String) -> String) -> String {
        """
        #sourceLocation(file: "\(path(place.file))", line: \(place.line + 1))
        \(code)
        #sourceLocation()

        """
    }
}

extension Substring {
    fileprivate var isImport: Bool { contains(#/^\s*(@\w+\s+)?((public|internal|private)\s+)?import\s/#) }
}
