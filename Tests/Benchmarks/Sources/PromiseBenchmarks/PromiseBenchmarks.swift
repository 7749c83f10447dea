@main
enum PromiseBenchmarks {
    static func main() { Benchmarks(lines: Line.all, clocks: "CPU time, but wall time in line j").main() }
}
