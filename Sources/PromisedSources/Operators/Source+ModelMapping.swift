public import PromisedSystem

// Only the value changes; its actions and all other cases stay. The closures are called once per value for all
// subscribers together, like that of `map`.
extension Source {
    /// Transforms the fetched value.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let length = Source<Fetchable<String>>.constant(.fetched(.init("four"))).mapFetchedValue { $0.count }
    /// print(length.value.fetched?.value ?? 0)
    /// ```
    ///
    /// - Parameter transform: Called for each value, where and when `map` calls its closure.
    public func mapFetchedValue<Fetched, Other>(
        _ transform: @escaping @Sendable (Fetched) -> Other
    ) -> Source<Fetchable<Other>> where Value == Fetchable<Fetched> { map { $0.map(transform) } }

    /// Transforms the fetched value. The placeholder stays.
    ///
    /// - Parameter transform: Called for each value, where and when `map` calls its closure.
    public func mapFetchedValue<Fetched, Placeholder, Other>(
        _ transform: @escaping @Sendable (Fetched) -> Other
    ) -> Source<FetchableWithPlaceholder<Other, Placeholder>>
    where Value == FetchableWithPlaceholder<Fetched, Placeholder> {
        map { WithPlaceholder($0.model.map(transform), placeholder: $0.placeholder) }
    }

    /// Transforms the placeholder of a fetched value. The value stays.
    ///
    /// - Parameter transform: Called for each model, where and when `map` calls its closure.
    public func mapFetchablePlaceholder<Fetched, Placeholder, Other>(
        _ transform: @escaping @Sendable (Placeholder) -> Other
    ) -> Source<FetchableWithPlaceholder<Fetched, Other>>
    where Value == FetchableWithPlaceholder<Fetched, Placeholder> { map { $0.mapPlaceholder(transform) } }

    /// Transforms the value while it is connected.
    ///
    /// - Parameter transform: Called for each value, where and when `map` calls its closure.
    public func mapConnectedValue<Connected, Other>(
        _ transform: @escaping @Sendable (Connected) -> Other
    ) -> Source<Connectable<Other>> where Value == Connectable<Connected> { map { $0.map(transform) } }

    /// Transforms the value while it is connected. The placeholder stays.
    ///
    /// - Parameter transform: Called for each value, where and when `map` calls its closure.
    public func mapConnectedValue<Connected, Placeholder, Other>(
        _ transform: @escaping @Sendable (Connected) -> Other
    ) -> Source<ConnectableWithPlaceholder<Other, Placeholder>>
    where Value == ConnectableWithPlaceholder<Connected, Placeholder> {
        map { WithPlaceholder($0.model.map(transform), placeholder: $0.placeholder) }
    }

    /// Transforms the placeholder of a value that is connected on demand. The value stays.
    ///
    /// - Parameter transform: Called for each model, where and when `map` calls its closure.
    public func mapConnectablePlaceholder<Connected, Placeholder, Other>(
        _ transform: @escaping @Sendable (Placeholder) -> Other
    ) -> Source<ConnectableWithPlaceholder<Connected, Other>>
    where Value == ConnectableWithPlaceholder<Connected, Placeholder> { map { $0.mapPlaceholder(transform) } }

    /// Adds a placeholder, which can be read in every case.
    public func addingPlaceholder<Fetched, Placeholder: Sendable>(
        _ placeholder: Placeholder
    ) -> Source<FetchableWithPlaceholder<Fetched, Placeholder>> where Value == Fetchable<Fetched> {
        map { $0.addingPlaceholder(placeholder) }
    }

    /// Adds a placeholder, which can be read in every case.
    public func addingPlaceholder<Connected, Placeholder: Sendable>(
        _ placeholder: Placeholder
    ) -> Source<ConnectableWithPlaceholder<Connected, Placeholder>> where Value == Connectable<Connected> {
        map { $0.addingPlaceholder(placeholder) }
    }

    /// The model without its placeholder.
    public func droppingPlaceholder<Model, Placeholder>() -> Source<Model>
    where Value == WithPlaceholder<Model, Placeholder> { map { $0.model } }
}
