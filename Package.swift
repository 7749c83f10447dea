// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PromisedSystem",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Promise", targets: ["Promise"]),
        .library(name: "PromisedSystem", targets: ["PromisedSystem"]),
        .library(name: "PromisedSources", targets: ["PromisedSources"]),
        .library(name: "PromisedModels", targets: ["PromisedModels"]),
        .library(name: "PromisedRecording", targets: ["PromisedRecording"]),
        .library(name: "PromisedTesting", targets: ["PromisedTesting"]),
        .library(name: "PromisedExploring", targets: ["PromisedExploring"]),
        .library(name: "PromisedModelsTesting", targets: ["PromisedModelsTesting"]),
        .executable(name: "hello-page", targets: ["HelloPage"]),
        .executable(name: "product-page", targets: ["ProductPage"]),
        .executable(name: "quote-page", targets: ["QuotePage"]),
        .executable(name: "counter-list", targets: ["CounterList"]),
    ],
    targets: [
        .target(name: "Promise"),
        .target(name: "PromisedSystem", dependencies: ["Promise"]),
        .target(name: "PromisedSources", dependencies: ["PromisedSystem"]),
        .target(name: "PromisedModels", dependencies: ["PromisedSystem"]),
        .target(name: "PromisedReports"),
        .target(name: "PromisedRecording", dependencies: ["PromisedSystem", "PromisedReports"]),
        .target(name: "PromisedTesting", dependencies: ["PromisedSystem"]),
        .target(
            name: "PromisedModelsTesting",
            dependencies: ["PromisedModels", "PromisedTesting", "PromisedExploring"]),
        .target(
            name: "PromisedExploring",
            dependencies: ["PromisedTesting", "PromisedReports", "PromisedRecording"]),
        .executableTarget(
            name: "HelloPage", dependencies: ["PromisedSystem"], path: "Example/HelloPage",
            exclude: ["product.json"]),
        .target(name: "ToolSupport", path: "Example/ToolSupport"),
        .target(
            name: "ProductReading", dependencies: ["ToolSupport"], path: "Example/ProductReading",
            resources: [
                .embedInCode("Tables/currencies.txt"), .embedInCode("Tables/encodings.txt"),
                .embedInCode("Tables/entities.txt"), .embedInCode("bundled.json"),
            ]),
        .target(
            name: "ProductCommands", dependencies: ["ProductReading", "ToolSupport"],
            path: "Example/ProductCommands"),
        .executableTarget(
            name: "ProductPage",
            dependencies: ["PromisedRecording", "ProductCommands", "ProductReading", "ToolSupport"],
            path: "Example/ProductPage"),
        .executableTarget(name: "QuotePage", dependencies: ["PromisedSources"], path: "Example/QuotePage"),
        .executableTarget(
            name: "CounterList", dependencies: ["PromisedModels"], path: "Example/CounterList"),
        .target(
            name: "TemplateFeatures", dependencies: ["PromisedSystem"], path: "Example/Template/Features"),
        .executableTarget(
            name: "Template", dependencies: ["PromisedSystem", "TemplateFeatures"],
            path: "Example/Template/App"),
        .target(
            name: "TestSupport", dependencies: ["Promise", "PromisedSystem", "PromisedTesting"],
            path: "Tests/Support"),
        .testTarget(name: "PromiseTests", dependencies: ["Promise", "PromisedTesting", "TestSupport"]),
        .testTarget(
            name: "PromisedSystemTests", dependencies: ["PromisedSystem", "PromisedTesting", "TestSupport"]),
        .testTarget(
            name: "PromisedSourcesTests",
            dependencies: ["PromisedSources", "PromisedTesting", "PromisedExploring", "TestSupport"]),
        .testTarget(
            name: "PromisedModelsTests",
            dependencies: [
                "PromisedModels", "PromisedModelsTesting", "PromisedTesting", "PromisedExploring",
                "TestSupport",
            ]),
        .testTarget(
            name: "PromisedRecordingTests",
            dependencies: [
                "PromisedRecording", "PromisedReports", "PromisedModels", "PromisedSources",
                "PromisedTesting", "PromisedExploring", "TestSupport",
            ]),
        .testTarget(name: "PromisedTestingTests", dependencies: ["PromisedTesting", "TestSupport"]),
        .testTarget(
            name: "PromisedExploringTests",
            dependencies: ["PromisedExploring", "PromisedReports", "PromisedTesting", "TestSupport"]),
        .testTarget(
            name: "ProductPageTests",
            dependencies: [
                "ProductPage", "ProductCommands", "ProductReading", "ToolSupport", "PromisedRecording",
                "PromisedTesting", "PromisedExploring", "TestSupport",
            ],
            exclude: ["Recordings"]),
        .testTarget(
            name: "QuotePageTests", dependencies: ["QuotePage", "PromisedSources", "PromisedTesting"]),
        .testTarget(
            name: "CounterListTests",
            dependencies: [
                "CounterList", "PromisedModels", "PromisedModelsTesting", "PromisedExploring", "TestSupport",
            ]),
        .testTarget(
            name: "TemplateTests",
            dependencies: ["TemplateFeatures", "PromisedSystem", "PromisedTesting", "PromisedExploring"],
            path: "Example/Template/Tests"),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "PromisedSystem", "PromisedSources", "PromisedModels", "PromisedRecording", "PromisedTesting",
                "PromisedExploring", "PromisedModelsTesting", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The same settings for every target; each feature has the number of its Swift Evolution proposal.
for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),  // SE-0335
        .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
        .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
        .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
        .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
        .treatWarning("ExplicitSendable", as: .error),
    ]
}
