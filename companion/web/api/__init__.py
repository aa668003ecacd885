"""What programs ask and send: JSON under `/api/v1`, a calendar, and what describes them."""
