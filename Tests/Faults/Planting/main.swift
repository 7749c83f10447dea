// Plants faults in sources of the package, which is the current folder.
//
//   plant one FAULT                         prints the source file with this fault
//   plant all COPY MAP PATH… -- FAULT…      copies the paths, with all of these faults
//
// FAULT is the path of a fault's file. The copy has every fault, and each is in effect if the environment variable
// PLANTED_FAULT is its name. MAP is a file for the lines of each fault: its path, first and last line, and the fault.
// `plant all` prints a line for each fault that it did not plant: its name, a tab, and why.

import Foundation

/// Read once, when the constant of the fault is used for the first time.
let reader = """
    import Foundation

    func isPlanted(_ fault: String) -> Bool { getenv("PLANTED_FAULT").map { String(cString: $0) } == fault }

    """

func source(_ path: String) throws -> Source {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw Problem("there is no file \"\(path)\"")
    }
    return Source(text)
}

func plantOne(_ path: String) throws {
    let fault = try Fault(path: path)
    let source = try source(fault.file)
    let whole = source.text.startIndex..<source.text.endIndex
    print(try fault.edit(in: source).applied(to: source.text, in: whole), terminator: "")
}

func plantAll(in copy: String, map: String, _ paths: [String], _ faults: [String]) throws {
    var files: [String: SwitchedFile] = [:]
    for path in faults {
        do {
            let fault = try Fault(path: path)
            if files[fault.file] == nil { files[fault.file] = try SwitchedFile(source(fault.file)) }
            try files[fault.file]?.add(fault)
        } catch let problem as Problem {
            print("\(URL(filePath: path).deletingPathExtension().lastPathComponent)\t\(problem.text)")
        }
    }
    var codes: [String: String] = [:]
    var rows = ""
    for (path, file) in files {
        let (code, lines) = file.written()
        codes[path] = code
        for (range, fault) in lines {
            rows += "\(path)\t\(range.lowerBound)\t\(range.upperBound)\t\(fault)\n"
        }
        let module = path.split(separator: "/").prefix(2).joined(separator: "/")
        codes["\(module)/PlantedFault.swift"] = reader
    }
    try PackageCopy(original: URL(filePath: "."), copy: URL(filePath: copy)).update(paths, codes)
    try rows.write(toFile: map, atomically: true, encoding: .utf8)
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.count == 2, arguments[0] == "one" {
        try plantOne(arguments[1])
    } else if arguments.count > 3, arguments[0] == "all", let end = arguments.firstIndex(of: "--") {
        try plantAll(
            in: arguments[1], map: arguments[2], Array(arguments[3..<end]), Array(arguments[(end + 1)...]))
    } else {
        throw Problem("plant one FAULT, or plant all COPY MAP PATH… -- FAULT…")
    }
} catch {
    FileHandle.standardError.write(Data("\((error as? Problem)?.text ?? "\(error)")\n".utf8))
    exit(1)
}
