import Foundation

/// Compiles the documentation's programs and runs those that are meant to be run.
struct ProgramCheck: Sendable {
    let compiler: Compiler
    /// The folder that contains the documentation.
    var root = Package.root

    /// The problems of a program that stands alone.
    func problems(of program: Program, in slot: URL) async throws -> [Problem] {
        var flags = ["-warnings-as-errors"] + flags(for: program)
        if program.hasMainAttribute { flags.append("-parse-as-library") }
        // The compiler accepts statements outside of functions only in a file of this name.
        let name = program.hasMainAttribute ? "program.swift" : "main.swift"
        var sources =
            files(program) + [.init(name: name, text: program.source(path: path))]
        if program.needsFrameworks {
            sources += try Frameworks.adapters(for: program)
            flags += try await Frameworks(compiler: compiler).flags()
            let report = try await compiler.check(
                sources, flags: flags + mainActor, in: slot.appendingPathExtension("main-actor"))
            if let report { return complaint(report, program) }
        }
        switch program.kind {
        case .run:
            // The test kit imports the test framework: a program that does not import it needs neither.
            let needsKit = Package.testing.contains(where: program.imports)
            let modules = Package.modules.filter { needsKit || !Package.testing.contains($0) }
            let report = try await compiler.build(sources, linking: modules, flags: flags, in: slot)
            if let report { return complaint(report, program) }
            return try await run(program, in: slot)
        case .manifest:
            let modules = try await compiler.manifestModules(in: slot.appendingPathExtension("target"))
            flags += ["-I", modules.path, "-package-description-version", "6.2"]
        case .refused:
            let report = try await compiler.check(sources, flags: flags, isRefused: true, in: slot)
            return RefusalCheck.problems(of: program, report: report)
        case .compile, .body:
            break
        }
        let report = try await compiler.check(sources, flags: flags, in: slot)
        return report.map { complaint($0, program) } ?? []
    }

    /// The problems of function bodies with the same imports and files, which are compiled together.
    func problems(ofBodies programs: [Program], in slot: URL) async throws -> [Problem] {
        guard let first = programs.first else { return [] }
        let sources = programs.enumerated().map { index, program in
            Compiler.Source(name: "body\(index).swift", text: program.source(path: path))
        }
        // An example may name a value without using it.
        let flags = ["-parse-as-library", "-suppress-warnings"] + flags(for: first)
        let report = try await compiler.check(sources, flags: flags, in: slot)
        return report.map { complaint($0, first) } ?? []
    }

    private func run(_ program: Program, in slot: URL) async throws -> [Problem] {
        // A program that writes a file finds none from an earlier run.
        let names = try FileManager.default.contentsOfDirectory(atPath: slot.path)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        for name in try FileManager.default.contentsOfDirectory(atPath: slot.path) where !names.contains(name)
        {
            try FileManager.default.removeItem(at: slot.appending(path: name))
        }
        guard outcome.isSuccess else {
            return [Problem(place: program.place, message: "the program fails\n\(outcome.report)")]
        }
        guard let expected = program.output, expected != outcome.output else { return [] }
        let message = "the program prints\n\(outcome.output)and not, as the page says,\n\(expected)"
        return [Problem(place: program.place, message: message)]
    }

    private func flags(for program: Program) -> [String] {
        program.isMainActor ? mainActor : []
    }

    private var mainActor: [String] { ["-default-isolation", "MainActor"] }

    private func files(_ program: Program) -> [Compiler.Source] {
        program.files.map { file in
            .init(name: "\(file.fileName ?? "").swift", text: file.source(path: path))
        }
    }

    private func complaint(_ report: String, _ program: Program) -> [Problem] {
        Diagnostics.problems(in: report, root: root.path, otherwise: program.place)
    }

    private func path(_ file: String) -> String { root.appending(path: file).path }
}
