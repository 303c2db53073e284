"""The yardsticks: `make bench`. Figures are ratios measured side by side, or stand beside what they are compared with."""
