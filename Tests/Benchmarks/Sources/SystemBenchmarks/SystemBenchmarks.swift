@main
enum SystemBenchmarks {
    static func main() {
        Benchmarks(lines: Line.all, clocks: "CPU time, but wall time in lines d and f").main()
    }
}
