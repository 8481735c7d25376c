import { createHash } from 'node:crypto';
import { createSeededRandom } from '@steward/testing';

const NOISE = 1 << 20;
const TOPICS = 2000;
/** How far a text lies from its topic, in deviations of the topics. */
const SPREAD = 0.6;

/** A vector of length 1 for a name, the same on every run: near others of its topic, as those of real texts lie. */
export function createVectorMaker(width: number, seed: number): (name: string) => Float32Array {
  const random = createSeededRandom(seed);
  const noise = Float32Array.from(
    { length: NOISE },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
  return (name) => {
    const digest = createHash('md5').update(name).digest();
    const topic = (digest.readUInt32LE(0) % TOPICS) * 37;
    const own = digest.readUInt32LE(4) % (NOISE - width);
    const vector = new Float32Array(width);
    let squares = 0;
    for (let place = 0; place < width; place += 1) {
      const value = (noise[topic + place] ?? 0) + SPREAD * (noise[own + place] ?? 0);
      vector[place] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    return vector.map((value) => value / length);
  };
}
