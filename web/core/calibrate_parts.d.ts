// The script that the server makes of what features bring to the page of calibration (web/core/assets.py).

export const parts: CalibrationPart[];
