"""What simulated players choose among their offers; one module a game, which knows parametric offers and no rules."""
