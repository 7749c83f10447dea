public import Foundation
internal import Promise
public import PromisedSystem

extension Source {
    /// Decodes the fetched data as JSON.
    ///
    /// ```swift
    /// import Foundation
    /// import PromisedSources
    ///
    /// let numbers = Source<Fetchable<Data>>.constant(.fetched(.init(Data("[1, 2]".utf8)))).jsonDecoded(as: [Int].self)
    /// print(numbers.value.fetched?.value ?? [])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - makeDecoder: Makes the decoder of a value. Called once for each value, where this source delivers.
    public func jsonDecoded<Output: Decodable & Sendable>(
        as type: Output.Type = Output.self,
        decoder makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Source<Fetchable<Output>> where Value == Fetchable<Data> {
        decoded { try makeDecoder().decode(type, from: $0) }
    }

    /// Decodes the fetched value.
    ///
    /// A value that can't be decoded is a failure, and to retry is to refresh the source. It has its own count of
    /// failed attempts, until one succeeds. If there was a good value before, it is kept, with the failure beside it.
    ///
    /// - Parameter decode: Called once for each value that was fetched, where this source delivers, however many
    ///   subscribers there are.
    public func decoded<Input: Sendable, Output: Sendable>(
        using decode: @escaping @Sendable (Input) throws -> Output
    ) -> Source<Fetchable<Output>> where Value == Fetchable<Input> {
        MachineSource(DecodeMachine(scheduler: .immediate, decode: decode)) { send in
            [subscribe { send($0) }]
        }.eraseToSource()
    }
}

struct DecodeMachine<Input: Sendable, Value: Sendable>: SourceMachine {
    struct DecodeState: Sendable {
        var input: Fetchable<Input>?
        /// The last good value.
        var value: Value?
        /// Why the last value could not be decoded.
        var failure: FetchFailure?
    }

    let scheduler: any SerialScheduler
    let decode: @Sendable (Input) throws -> Value

    var initialState: DecodeState { DecodeState() }

    func reduce(_ state: inout DecodeState, _ input: Fetchable<Input>) -> Reaction {
        let before = state.input
        state.input = input
        guard input.isNews(after: before), let fetched = input.fetched else { return .show }
        do {
            state.value = try decode(fetched.value)
            state.failure = nil
        } catch {
            state.failure = .init(error, failedAttempts: (state.failure?.failedAttempts ?? 0) + 1)
        }
        return .show
    }

    func model(of state: DecodeState, _: MachineSource<Self>) -> Fetchable<Value> {
        guard let input = state.input else { return .fetching(.init()) }
        let inputFailure: FetchFailure? =
            (input.failure.map { .init($0.error, failedAttempts: $0.failedAttempts) })
            ?? input.refreshFailure
        let failure = inputFailure ?? state.failure
        if let value = state.value {
            return .fetched(
                .init(value, isRefreshing: input.isLoading, refreshFailure: failure, refresh: input.again)
                    .of(revision: input.fetched?.revision ?? 0))
        }
        if let failure, !input.isLoading {
            return .failure(
                .init(failure.error, failedAttempts: failure.failedAttempts, retry: input.again))
        }
        return .fetching(.init(progress: input.fetching?.progress))
    }
}

extension DecodeMachine.DecodeState: Equatable, Hashable where Input: Hashable, Value: Hashable {}
