"""The subcommands of `yacht`, one module each, imported only when called."""
