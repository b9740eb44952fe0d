"""Which node shall own a link? A collaboration only names it; the frontier keeps it there."""
