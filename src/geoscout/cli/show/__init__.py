"""What people see in the terminal: tables, progress, and results as text."""
