// Reducers, feedbacks and middleware are monoids: left, then right.
infix operator <> : AdditionPrecedence
