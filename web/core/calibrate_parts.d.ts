// The script that the server makes of all features' parts of the calibration page (web/core/assets.py).

export const parts: CalibrationPart[];
