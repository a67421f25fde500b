// Falling dice in three dimensions: rigid bodies (cannon-es), drawn as CSS cubes. Their faces are known before: the fall is
// simulated first, and the numbers are then placed on the sides so that the known faces end up on top.

import { Body, Box, ContactMaterial, Material, Plane, Quaternion, Vec3, World } from "./cannon-es.js";
import { die } from "./dice.js";
import { paint } from "./dom.js";

const HALF = 4; // of the tray's width, in edges of a die
const WALL = 3.5; // from the middle, so that no die leans on the rim
const GRAVITY = 60; // edges a second squared
const STEP_S = 1 / 120;
const LONGEST_S = 5;
const STILL = 0.08; // edges a second, and radians a second
const TRIES = 20; // until no die leans on another
const REST_MS = 900; // on screen after they have come to rest
const FLAT = 0.995;

/** Sides of a die, opposite ones as neighbours. */
const SIDES = [
  { axis: new Vec3(1, 0, 0), turn: "rotateY(90deg)" },
  { axis: new Vec3(-1, 0, 0), turn: "rotateY(-90deg)" },
  { axis: new Vec3(0, 1, 0), turn: "rotateX(-90deg)" },
  { axis: new Vec3(0, -1, 0), turn: "rotateX(90deg)" },
  { axis: new Vec3(0, 0, 1), turn: "" },
  { axis: new Vec3(0, 0, -1), turn: "rotateY(180deg)" },
];

/** Position and rotation of a die. @typedef {{ at: number[], turned: number[] }} Pose */

/** @param {number} most */
const about = (most) => (Math.random() * 2 - 1) * most;

/** A tray of felt with its walls, and dice on their way into it. @param {number} count */
function thrown(count) {
  const world = new World({ gravity: new Vec3(0, 0, -GRAVITY) });
  const [felt, bone] = [new Material("felt"), new Material("bone")];
  world.addContactMaterial(new ContactMaterial(felt, bone, { friction: 0.3, restitution: 0.35 }));
  world.addContactMaterial(new ContactMaterial(bone, bone, { friction: 0.1, restitution: 0.5 }));
  /** @param {InstanceType<typeof Vec3>} position @param {InstanceType<typeof Vec3>} towards */
  const wall = (position, towards) => {
    const body = new Body({ mass: 0, material: felt, shape: new Plane(), position });
    body.quaternion.setFromVectors(new Vec3(0, 0, 1), towards);
    world.addBody(body);
  };
  wall(new Vec3(0, 0, 0), new Vec3(0, 0, 1));
  for (const sign of [-1, 1]) {
    wall(new Vec3(sign * WALL, 0, 0), new Vec3(-sign, 0, 0));
    wall(new Vec3(0, sign * WALL, 0), new Vec3(0, -sign, 0));
  }
  return {
    world,
    dice: Array.from({ length: count }, (_, index) => {
      const body = new Body({ mass: 1, material: bone, shape: new Box(new Vec3(0.5, 0.5, 0.5)) });
      body.position.set(((index % 5) - 2) * 1.2 + about(0.05), WALL - 0.9, 2 + 1.6 * Math.floor(index / 5) + about(0.4));
      body.quaternion.setFromEuler(about(3), about(3), about(3));
      body.velocity.set(about(4), -12 + about(4), about(2));
      body.angularVelocity.set(about(18), about(18), about(18));
      world.addBody(body);
      return body;
    }),
  };
}

/** How much each side faces up, 1 to -1. @param {number[]} turned: a quaternion */
const upward = ([x, y, z, w]) => SIDES.map(({ axis }) => new Quaternion(x, y, z, w).vmult(axis).z);

/** One throw from hand to rest, sixty times a second; null where a die leans. @param {number} count @returns {Pose[][] | null} */
function film(count) {
  const { world, dice } = thrown(count);
  /** @type {Pose[][]} */
  const poses = [];
  for (let step = 0; step < LONGEST_S / STEP_S; step += 1) {
    world.step(STEP_S);
    if (step % 2) continue;
    poses.push(dice.map((body) => ({ at: body.position.toArray(), turned: body.quaternion.toArray() })));
    if (dice.every((body) => body.velocity.length() < STILL && body.angularVelocity.length() < STILL)) break;
  }
  const rest = poses[poses.length - 1];
  const flat = rest.every(({ at, turned }) => Math.max(...upward(turned)) > FLAT && Math.abs(at[2] - 0.5) < 0.1);
  return flat ? poses : null;
}

/** The number on each side, such that `face` is on top at rest. @param {number} face @param {Pose} rest */
function numbered(face, rest) {
  const up = upward(rest.turned);
  const top = up.indexOf(Math.max(...up));
  const others = [1, 2, 3].filter((each) => each !== face && each !== 7 - face);
  const numbers = SIDES.map(() => 0);
  for (let side = 0; side < SIDES.length; side += 2) {
    const first = side === top ? face : side + 1 === top ? 7 - face : (others.pop() ?? 1);
    numbers[side] = first;
    numbers[side + 1] = 7 - first;
  }
  return numbers;
}

/** @param {string} name @param {Element} parent */
function append(name, parent) {
  const element = document.createElement("div");
  element.className = name;
  parent.append(element);
  return element;
}

/** A cube and its shadow; returns the function that moves both to a pose. @param {number[]} numbers @param {Element} tray @param {number} edge */
function cube(numbers, tray, edge) {
  const shadow = append("fall-shadow", tray);
  const body = append("fall-die", tray);
  const sides = SIDES.map(({ turn }, index) => {
    const side = append("fall-side", body);
    side.style.transform = `${turn} translateZ(${edge / 2}px)`;
    paint(side, [die(numbers[index], { label: "", kind: "body-ivory" })]);
    return side;
  });
  return (/** @type {Pose} */ { at, turned }) => {
    const [x, y, z] = at.map((each) => each * edge);
    const [qx, qy, qz, qw] = turned;
    const [a, b, c] = [new Vec3(1, 0, 0), new Vec3(0, 1, 0), new Vec3(0, 0, 1)].map((axis) =>
      new Quaternion(qx, qy, qz, qw).vmult(axis).toArray(),
    );
    body.style.transform = `translate3d(${x}px, ${y}px, ${z}px) matrix3d(${a}, 0, ${b}, 0, ${c}, 0, 0, 0, 0, 1)`;
    const high = Math.max(0, at[2] - 0.5);
    shadow.style.transform = `translate3d(${x + high * edge * 0.3}px, ${y + high * edge * 0.3}px, 1px) scale(${1 + high * 0.25})`;
    shadow.style.opacity = String(0.5 / (1 + high));
    for (const [index, up] of upward(turned).entries()) sides[index].style.setProperty("--shade", String(0.34 * (1 - up) * (1 - up) * 0.5));
  };
}

/** The style sheet, loaded at the first throw. @type {Promise<unknown> | null} */
let styled = null;

function styles() {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("./tumbling.css", import.meta.url).href;
  return new Promise((resolve, reject) => {
    sheet.onload = resolve;
    sheet.onerror = reject;
    document.head.append(sheet);
  });
}

/** The current fall. @type {{ end: () => void } | null} */
let falling = null;

/** Animates falling dice over the page; a tap or a key ends it. Resolves at its end. @param {number[]} faces @returns {Promise<void>} */
export async function tumble(faces) {
  styled = styled || styles();
  await styled;
  falling?.end();
  let poses = null;
  for (let index = 0; index < TRIES && !poses; index += 1) poses = film(faces.length);
  if (!poses) return undefined;
  const rest = poses[poses.length - 1];
  const over = append("fall", document.body);
  over.setAttribute("aria-hidden", "true");
  const tray = append("fall-tray", over);
  const edge = tray.offsetWidth / (2 * HALF);
  tray.style.setProperty("--edge", `${edge}px`);
  const put = faces.map((face, index) => cube(numbered(face, rest[index]), tray, edge));
  return new Promise((resolve) => {
    let timer = 0;
    const end = () => {
      cancelAnimationFrame(timer);
      clearTimeout(timer);
      over.remove();
      removeEventListener("keydown", end);
      falling = null;
      resolve();
    };
    falling = { end };
    over.onpointerdown = end;
    addEventListener("keydown", end);
    const begun = performance.now();
    const draw = (/** @type {number} */ now) => {
      const at = Math.min(poses.length - 1, Math.max(0, Math.floor(((now - begun) / 1000) * 60)));
      for (const [index, place] of put.entries()) place(poses[at][index]);
      over.dataset.lies = String(at === poses.length - 1);
      timer = at < poses.length - 1 ? requestAnimationFrame(draw) : window.setTimeout(end, REST_MS);
    };
    timer = requestAnimationFrame(draw);
  });
}
