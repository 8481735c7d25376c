import { createHash } from 'node:crypto';
import { createSeededRandom } from '@steward/testing';

const NOISE = 1 << 20;
const TOPICS = 2000;
/**
 * Distance of a session from its topic, and of a text from its session, in multiples of the deviation of the topics.
 */
const SESSION_SPREAD = 0.6;
const TEXT_SPREAD = 0.3;

/** Creates the vector of a text within a session; a query has no session. */
export type MakeVector = (text: string, session?: string) => Float32Array;

/**
 * Creates a vector of length 1 for a text, the same in every run. The texts of a session are close to each other and to
 * a topic, as real ones are: the neighbors of a query belong to few sessions.
 */
export function createVectorMaker(width: number, seed: number): MakeVector {
  const random = createSeededRandom(seed);
  const noise = Float32Array.from(
    { length: NOISE },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
  return (text, session = text) => {
    const digest = createHash('md5').update(session).digest();
    const topic = (digest.readUInt32LE(0) % TOPICS) * 37;
    const subject = digest.readUInt32LE(4) % (NOISE - width);
    const own = createHash('md5').update(text).digest().readUInt32LE(4) % (NOISE - width);
    const vector = new Float32Array(width);
    let squares = 0;
    for (let place = 0; place < width; place += 1) {
      const value =
        (noise[topic + place] ?? 0) +
        SESSION_SPREAD * (noise[subject + place] ?? 0) +
        TEXT_SPREAD * (noise[own + place] ?? 0);
      vector[place] = value;
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    return vector.map((value) => value / length);
  };
}
