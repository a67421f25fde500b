// The script that the server makes of what features bring (web/core/assets.py).

export const parts: PagePart[];
