"""Speed, as ratios against yardsticks on the same work. Each file prints one JSON object; run them by hand."""
