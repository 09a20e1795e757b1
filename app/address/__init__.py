"""What an address says beside the scenario: place, language, what is hidden, what is pinned; and how links are written."""
