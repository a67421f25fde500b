// Dice that fall in three dimensions: bodies that fly, spin, knock against each other and come to rest (cannon-es), drawn as
// cubes of CSS. What they show is known before: they are let fall first, unseen, and then the numbers are put on their sides so
// that those known lie on top.

import { Body, Box, ContactMaterial, Material, Plane, Quaternion, Vec3, World } from "./cannon-es.js";
import { die } from "./dice.js";
import { paint } from "./dom.js";

const HALF = 4; // of the tray, in edges of a die
const WALL = 3.5; // from the middle, that no die stands on the rim
const GRAVITY = 60; // edges a second squared
const STEP_S = 1 / 120;
const LONGEST_S = 5;
const STILL = 0.08; // edges a second, and radians a second
const TRIES = 20; // until none leans on another
const SHOWN_MS = 900; // when they lie
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

/** Where a die is, and how it is turned. @typedef {{ at: number[], turned: number[] }} Pose */

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

/** How far each side of a die turned so looks up, 1 to -1. @param {number[]} turned */
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

/** Which number each side bears, that `face` is on the one that lies on top. @param {number} face @param {Pose} rest */
function numbered(face, rest) {
  const up = upward(rest.turned);
  const top = up.indexOf(Math.max(...up));
  const others = [1, 2, 3].filter((each) => each !== face && each !== 7 - face);
  const found = SIDES.map(() => 0);
  for (let side = 0; side < SIDES.length; side += 2) {
    const first = side === top ? face : side + 1 === top ? 7 - face : (others.pop() ?? 1);
    found[side] = first;
    found[side + 1] = 7 - first;
  }
  return found;
}

/** @param {string} name @param {Element} parent */
function made(name, parent) {
  const element = document.createElement("div");
  element.className = name;
  parent.append(element);
  return element;
}

/** A cube and its shadow; gives what puts both into a pose. @param {number[]} numbers @param {Element} tray @param {number} edge */
function cube(numbers, tray, edge) {
  const shadow = made("fall-shadow", tray);
  const body = made("fall-die", tray);
  const sides = SIDES.map(({ turn }, index) => {
    const side = made("fall-side", body);
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

/** How it looks, asked for at the first throw. @type {Promise<unknown> | null} */
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

/** The one that falls now. @type {{ end: () => void } | null} */
let falling = null;

/** Let dice fall over the page; a tap or a key ends it. Resolves when it is over. @param {number[]} faces @returns {Promise<void>} */
export async function tumble(faces) {
  styled = styled || styles();
  await styled;
  falling?.end();
  let poses = null;
  for (let index = 0; index < TRIES && !poses; index += 1) poses = film(faces.length);
  if (!poses) return undefined;
  const rest = poses[poses.length - 1];
  const over = made("fall", document.body);
  over.setAttribute("aria-hidden", "true");
  const tray = made("fall-tray", over);
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
      timer = at < poses.length - 1 ? requestAnimationFrame(draw) : window.setTimeout(end, SHOWN_MS);
    };
    timer = requestAnimationFrame(draw);
  });
}
