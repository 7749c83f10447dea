import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// A value that is passed inout to an asynchronous function, through every kind of handle.
@Suite(.tags(.sharedState), .serialized) struct SuspendedChangeTests {
    struct Draft: Model {
        struct Text: Equatable { var length = 2 }

        struct State: Equatable {
            var count = 2
            var text = Text()
            var note: Text? = Text()
        }

        let context: ModelContext<Draft>
        static let count = ModelProperty(2)
        var size: ModelPropertyValue<Int> { property(Self.count) }

        /// Adds a number that comes later, and returns what reads the value and what writes it at once.
        func add(_ number: Promise<Int>, by handle: Handle) -> Access {
            let state = context.state
            switch handle {
            case .state:
                task { try await Draft.add(number, to: &state.count) }
                return ({ state.count }, { state.count = $0 })
            case .view:
                let view = context.view(\.count)
                task { try await Draft.add(number, to: &view.value) }
                return ({ view.value }, { view.value = $0 })
            case .partOfView:
                let view = context.view(\.text).length
                task { try await Draft.add(number, to: &view.value) }
                return ({ view.value }, { view.value = $0 })
            case .partOfOptional:
                let view = context.view(\.note).length
                task { try await Draft.addIfPresent(number, to: &view.value) }
                return ({ view.value ?? 0 }, { view.value = $0 })
            case .property:
                let size = size
                task { try await Draft.add(number, to: &size.value) }
                return ({ size.value }, { size.value = $0 })
            }
        }

        typealias Access = (read: () -> Int, write: @Sendable (Int) -> Void)

        static func add(_ number: Promise<Int>, to count: inout Int) async throws {
            count += try await number.value
        }

        static func addIfPresent(_ number: Promise<Int>, to count: inout Int?) async throws {
            let number = try await number.value
            count = count.map { $0 + number }
        }
    }

    enum Handle: CaseIterable { case state, view, partOfView, partOfOptional, property }

    @Test(
        "A write meanwhile is not blocked, and is overwritten, which is reported", arguments: Handle.allCases,
        [false, true])
    func overwritten(by handle: Handle, isWritten: Bool) {
        Reports.begin()
        let before = Reports.count
        let fixture = Fixture<Draft>(.init())
        let (number, resolver) = Promise<Int>.pending()
        let value = fixture.model.add(number, by: handle)
        fixture.scheduler.advance()
        if isWritten {
            fixture.scheduler.schedule(after: .zero) { [write = value.write] in write(7) }
            fixture.scheduler.advance()
            #expect(value.read() == 7)
        }
        resolver.fulfill(1)
        fixture.scheduler.advance()
        #expect(value.read() == 3)
        #expect(Reports.about("A Draft passed a property", after: before).count == (isWritten ? 1 : 0))
        value.write(5)
        #expect(value.read() == 5)
        fixture.scheduler.finish()
    }
}
