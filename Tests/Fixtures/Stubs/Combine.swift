// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of Combine as the library names, declared as there.
//
// Written from: SDK of iOS 18.0, Combine.framework/Modules/Combine.swiftmodule/arm64-apple-ios.swiftinterface. Here
// publishers have no subscribers.

public protocol Cancellable {
    func cancel()
}

public final class AnyCancellable: Cancellable {
    public func cancel() {}
}

public enum Subscribers {
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }
}

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

public protocol Subject<Output, Failure>: AnyObject, Publisher {
    func send(_ value: Output)
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {}

public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    public init(_ value: Output) {}

    public func send(_ input: Output) {}
}

public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    public typealias Output = DeferredPublisher.Output
    public typealias Failure = DeferredPublisher.Failure

    public init(createPublisher: @escaping () -> DeferredPublisher) {}
}

public enum Publishers {
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure
    }
}

extension Publisher {
    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        fatalError()
    }

    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }

    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        fatalError()
    }
}
