import type { ChunkFilter } from '@steward/search';
import { createSeededRandom } from '@steward/testing';

export interface CorpusAccount {
  readonly name: string;
  readonly count: number;
  readonly seed: number;
}

const SMALL = 2000;
const MOST_MEDIUM_SHARE = 0.05;
const LEAST_MEDIUM = 12_000;
const LARGE_SHARE = 0.75;

/** Lists a small, a medium and a large account, and further small accounts that share a table with the small one. */
export function listAccounts(vectors: number, seed: number): CorpusAccount[] {
  const medium = Math.max(LEAST_MEDIUM, Math.floor(vectors * MOST_MEDIUM_SHARE));
  const large = Math.min(Math.floor(vectors * LARGE_SHARE), vectors - medium - SMALL);
  const others = Math.max(0, Math.floor((vectors - large - medium - SMALL) / SMALL));
  const sizes: (readonly [string, number])[] = [
    ['small', SMALL],
    ['medium', medium],
    ['large', large],
    ...Array.from({ length: others }, (_, index) => [`other-${index}`, SMALL] as const),
  ];
  return sizes.map(([name, count], index) => ({ name, count, seed: seed * 100_003 + index }));
}

const NOISE_LENGTH = 1 << 21;
const noise = createNoise();

function createNoise(): Float32Array {
  const random = createSeededRandom(42);
  return Float32Array.from(
    { length: NOISE_LENGTH },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

/**
 * Distance of a subject from its topic, of a session from its subject and of a text from its session, in multiples of
 * the deviation of the topics.
 */
const SUBJECT_SPREAD = 0.7;
const SESSION_SPREAD = 0.4;
const TEXT_SPREAD = 0.3;
const QUERY_SPREAD = 0.3;
const TEXTS_PER_SUBJECT = 40;
const SUBJECTS_PER_TOPIC = 30;
const CHUNKS_PER_SESSION = 10;

/**
 * Generates the vectors of an account, each of length 1. Like embeddings of real texts, those of a session are close
 * together, near a subject of a topic, so that the neighbors of a query belong to few sessions.
 */
export function generateVectors({ count, seed }: CorpusAccount, width: number): Float32Array {
  const random = createSeededRandom(seed);
  const take = (): number => Math.floor(random() * (NOISE_LENGTH - width));
  const subjects = Math.max(8, Math.floor(count / TEXTS_PER_SUBJECT));
  const topicOf = Array.from({ length: Math.max(4, Math.floor(subjects / SUBJECTS_PER_TOPIC)) }, take);
  const places = Array.from(
    { length: subjects },
    () => [topicOf[Math.floor(random() * topicOf.length)] ?? 0, take()] as const,
  );
  const all = new Float32Array(count * width);
  let [topic, subject, session] = [0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    if (index % CHUNKS_PER_SESSION === 0) {
      [topic, subject] = places[findSubject(findAgent(index), subjects, random)] ?? [0, 0];
      session = take();
    }
    const text = take();
    for (let at = 0; at < width; at += 1) {
      all[index * width + at] =
        (noise[topic + at] ?? 0) +
        SUBJECT_SPREAD * (noise[subject + at] ?? 0) +
        SESSION_SPREAD * (noise[session + at] ?? 0) +
        TEXT_SPREAD * (noise[text + at] ?? 0);
    }
    normalize(all.subarray(index * width, (index + 1) * width));
  }
  return all;
}

/** Number of agents. An agent works on few subjects, so its texts are close together. */
const AGENTS = 50;
function findSubject(agent: number, subjects: number, random: () => number): number {
  const own = Math.max(1, Math.floor(subjects / AGENTS));
  return Math.min(subjects - 1, agent * own + Math.floor(random() * own));
}

/** Returns the agent to whose session the vector at an index belongs. */
function findAgent(index: number): number {
  return Math.floor(index / CHUNKS_PER_SESSION) % AGENTS;
}

/** Generates queries that are close to texts of the account, as questions about them would be. */
export function generateQueries(
  vectors: Float32Array,
  account: CorpusAccount,
  width: number,
  queries: number,
): Float32Array[] {
  const random = createSeededRandom(account.seed + 7);
  return Array.from({ length: queries }, () => {
    const from = Math.floor(random() * account.count) * width;
    const offset = Math.floor(random() * (NOISE_LENGTH - width));
    // A text has length 1, so its values are smaller than the noise by a factor of the square root of the number of
    // dimensions.
    const spread = QUERY_SPREAD / Math.sqrt(width);
    return normalize(vectors.slice(from, from + width).map((value, at) => value + spread * (noise[offset + at] ?? 0)));
  });
}

function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

const START_MS = Date.UTC(2026, 0, 1);
const SPAN_MS = 300 * 86_400_000;
const uuid = (kind: number, number: number): string =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns the filterable fields of the vector at an index of its account. */
export function describeVector(index: number, count: number) {
  return {
    chunkId: uuid(1, index),
    sessionId: uuid(2, Math.floor(index / CHUNKS_PER_SESSION)),
    occurredAt: new Date(START_MS + Math.floor((index * SPAN_MS) / count)),
    sourceKind: index % 10 === 3 ? 'tool_call' : 'transcript_message',
    role: index % 2 === 0 ? 'user' : 'assistant',
    providerName: index % 100 === 7 ? 'seldom' : 'often',
    runtimePrincipalId: `agent-${findAgent(index)}`,
  };
}

export interface BenchFilter {
  readonly leaves: string;
  readonly filter: ChunkFilter;
  /** Same filter for LanceDB; undefined without a filter. */
  readonly where: string | undefined;
  readonly matches: (index: number) => boolean;
}

/** Lists filters whose matches range from all vectors to none. */
export function listFilters(count: number): BenchFilter[] {
  const lastWeek = new Date(START_MS + SPAN_MS - 7 * 86_400_000);
  const session = uuid(2, 3);
  return [
    { leaves: 'everything', filter: {}, where: undefined, matches: () => true },
    { leaves: 'a half', filter: { role: 'user' }, where: "role = 'user'", matches: (index) => index % 2 === 0 },
    {
      leaves: 'a tenth',
      filter: { sourceKind: 'tool_call' },
      where: "source_kind = 'tool_call'",
      matches: (index) => index % 10 === 3,
    },
    {
      leaves: 'the last week',
      filter: { startDate: lastWeek },
      where: `occurred_at >= ${lastWeek.getTime()}`,
      matches: (index) => describeVector(index, count).occurredAt >= lastWeek,
    },
    {
      leaves: 'one agent',
      filter: { runtimePrincipalId: 'agent-7' },
      where: "runtime_principal_id = 'agent-7'",
      matches: (index) => findAgent(index) === 7,
    },
    {
      leaves: 'a hundredth',
      filter: { providerName: 'seldom' },
      where: "provider_name = 'seldom'",
      matches: (index) => index % 100 === 7,
    },
    {
      leaves: 'one session',
      filter: { sessionId: session },
      where: `session_id = '${session}'`,
      matches: (index) => Math.floor(index / CHUNKS_PER_SESSION) === 3,
    },
    { leaves: 'none', filter: { role: 'nobody' }, where: "role = 'nobody'", matches: () => false },
  ];
}
