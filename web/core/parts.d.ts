// The script that the server makes of all features' parts (web/core/assets.py).

export const parts: PagePart[];
