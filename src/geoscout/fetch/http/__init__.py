"""The live web over HTTP."""
