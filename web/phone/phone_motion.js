// Motion in the phone's picture: the same test as the station's (vision/motion.py), so that both agree on a still picture.

export const WIDTH = 256;
const STEP = 16; // grey levels, beyond what a shift by one pixel explains

/** The maximum or minimum of each pixel and its eight neighbours. @param {Uint8ClampedArray} from @param {number} width @param {number} high @param {(a: number, b: number, c: number) => number} of */
function around(from, width, high, of) {
  const rows = new Uint8ClampedArray(from.length);
  const result = new Uint8ClampedArray(from.length);
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      rows[at] = of(from[x ? at - 1 : at], from[at], from[x < width - 1 ? at + 1 : at]);
    }
  for (let at = 0; at < from.length; at += 1)
    result[at] = of(rows[at >= width ? at - width : at], rows[at], rows[at + width < from.length ? at + width : at]);
  return result;
}

/** Whether two small grey pictures of the same width differ by more than noise or a shaking stand explains. @param {Uint8ClampedArray} before @param {Uint8ClampedArray} now @param {number} [width] */
export function changed(before, now, width = WIDTH) {
  if (before.length !== now.length) return true;
  const high = now.length / width;
  const most = around(before, width, high, Math.max);
  const least = around(before, width, high, Math.min);
  const moved = now.map((value, at) => (value - most[at] > STEP || least[at] - value > STEP ? 1 : 0));
  // a shaking stand leaves thin lines along edges, a die or a finger leaves patches of three by three
  return around(moved, width, high, Math.min).includes(1);
}

/** The grey values of a picture, scaled to WIDTH. @param {CanvasRenderingContext2D} pen @param {CanvasImageSource} picture @param {number} high */
export function grey(pen, picture, high) {
  pen.canvas.width = WIDTH;
  pen.canvas.height = high;
  pen.imageSmoothingQuality = "medium";
  pen.drawImage(picture, 0, 0, WIDTH, high);
  const { data } = pen.getImageData(0, 0, WIDTH, high);
  const result = new Uint8ClampedArray(WIDTH * high);
  for (let at = 0; at < result.length; at += 1) result[at] = 0.299 * data[4 * at] + 0.587 * data[4 * at + 1] + 0.114 * data[4 * at + 2];
  return result;
}
