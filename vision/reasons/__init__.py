"""Why a picture is not read: light, focus, hands, and what lies there instead."""
