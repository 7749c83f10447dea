/// All Swift code that the package's documentation shows.
struct Documentation: Sendable {
    private(set) var programs: [Program] = []
    private(set) var problems: [Problem] = []

    /// The documentation as it is on disk.
    static let current = Documentation()

    private init() {
        for page in Package.pages {
            // A page outside of a catalog is shown by GitHub only.
            let style: FenceExtractor.AttributeStyle = page.contains(".docc/") ? .commentOnly : .infoString
            read(page, standard: .run) { text in
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                return FenceExtractor.extract(lines, file: page, style: style)
            }
        }
        for source in Package.sources {
            let module = source.split(separator: "/").dropFirst().first.map(String.init)
            read(source, standard: .body, module: module) { DocComments.extract($0, file: source) }
        }
        problems += programs.findFiles()
    }

    private mutating func read(
        _ file: String, standard: Program.Kind, module: String? = nil,
        extract: (String) -> (fences: [Fence], problems: [Problem])
    ) {
        do {
            let found = extract(try Package.text(file))
            let reader = ProgramReader(found.fences, standard: standard, module: module)
            programs += reader.programs
            problems += found.problems + reader.problems
        } catch {
            problems.append(Problem(place: Place(file: file, line: 1), message: "\(error)"))
        }
    }
}
