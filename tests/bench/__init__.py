"""The yardsticks of `make bench`: ratios measured side by side, or figures beside what they are compared with."""
