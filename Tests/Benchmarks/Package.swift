// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "PromisedSystem", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        .target(name: "MemoryCounting"),
        .executableTarget(
            name: "promise-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "Promise", package: "PromisedSystem"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            path: "Sources/PromiseBenchmarks"),
        .executableTarget(
            name: "system-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "PromisedSystem", package: "PromisedSystem"),
            ],
            // Its folder Measuring is a link to that of the other.
            path: "Sources/SystemBenchmarks"),
        .executableTarget(
            name: "sources-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "PromisedSources", package: "PromisedSystem"),
                .product(name: "PromisedTesting", package: "PromisedSystem"),
            ],
            // Its folder Measuring is a link to that of the first.
            path: "Sources/SourcesBenchmarks"),
        .executableTarget(
            name: "models-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "PromisedModels", package: "PromisedSystem"),
            ],
            // Its folder Measuring is a link to that of the first.
            path: "Sources/ModelsBenchmarks"),
        .executableTarget(
            name: "recording-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "Promise", package: "PromisedSystem"),
                .product(name: "PromisedRecording", package: "PromisedSystem"),
            ],
            // Its folder Measuring is a link to that of the first.
            path: "Sources/RecordingBenchmarks"),
        .executableTarget(
            name: "explorer-benchmarks",
            dependencies: [
                "MemoryCounting",
                .product(name: "Promise", package: "PromisedSystem"),
                .product(name: "PromisedSystem", package: "PromisedSystem"),
                .product(name: "PromisedTesting", package: "PromisedSystem"),
                .product(name: "PromisedExploring", package: "PromisedSystem"),
                .product(name: "PromisedModels", package: "PromisedSystem"),
                .product(name: "PromisedModelsTesting", package: "PromisedSystem"),
            ],
            path: "Sources/ExplorerBenchmarks"),
    ],
    swiftLanguageModes: [.v6]
)
