//! Several contact points of two polytopes.
