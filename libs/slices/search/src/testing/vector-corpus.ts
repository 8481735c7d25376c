import { newId } from '@steward/crypto';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { OpenVectors } from './open-vectors.ts';

/** Numbers that are the same on every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface CorpusVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
  /** Columns that filters look at, by their names in the table. */
  readonly columns: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
/** Rare, and of one corner of the space alone: what starves an index that filters afterwards. */
const RARE = 'rare';

/**
 * Vectors in clusters, as embeddings of real texts lie, and filters that leave a half, a tenth, a hundredth and five of them.
 * The rarest lie together, far from most queries.
 */
export function buildVectorCorpus(count: number, width: number, seed = 1): CorpusVector[] {
  const random = createRandom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Array.from({ length: Math.max(4, Math.ceil(count / 100)) }, () =>
    Float32Array.from({ length: width }, gauss),
  );
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, index) => {
    const cluster = Math.floor(random() * centres.length);
    const centre = centres[index < 5 ? 0 : cluster] ?? new Float32Array(width);
    return {
      chunkId: newId(),
      vector: centre.map((value) => value + 0.7 * gauss()),
      columns: {
        runtime_session_id: `00000000-0000-4000-8000-${String(Math.floor(index / 10)).padStart(12, '0')}`,
        occurred_at: new Date(start + (index * 300 * DAY_MS) / count).toISOString(),
        source_kind: index % 10 === 3 ? 'tool_call' : 'transcript_message',
        model_alias: index < 5 ? RARE : index % 2 === 0 ? 'even' : 'odd',
        provider_name: index % 100 === 7 ? 'seldom' : 'often',
        runtime_principal_id: `agent-${cluster % 50}`,
        api_key_id: `00000000-0000-4000-9000-${String(index % 40).padStart(12, '0')}`,
        flow_id: `00000000-0000-4000-a000-${String(index % 200).padStart(12, '0')}`,
        role: index % 3 === 0 ? 'user' : 'assistant',
      },
    };
  });
}

/** Puts vectors where the space keeps them now, without chunks: thousands of these take minutes to write. */
export async function loadVectors(
  suite: OpenVectors,
  space: VectorSpace,
  corpus: readonly CorpusVector[],
): Promise<void> {
  const [place] = await suite.query<{ segment: string | null }>(
    'select segment from search.vector_space where id = $1',
    [space.id],
  );
  const names = Object.keys(corpus[0]?.columns ?? {});
  for (let from = 0; from < corpus.length; from += 1000) {
    const part = corpus.slice(from, from + 1000);
    const rows = part.map(({ chunkId, vector, columns }) => ({
      ...columns,
      chunk_id: chunkId,
      vector: `[${vector.join(',')}]`,
    }));
    await suite.query(
      `insert into search.${place?.segment ?? 'chunk_vector'} (space_id, chunk_id, written_at, vector, ${names.join(', ')})
       select $1, chunk_id, now(), l2_normalize(vector::halfvec), ${names.join(', ')}
       from jsonb_populate_recordset(null::search.chunk_vector, $2)`,
      [space.id, JSON.stringify(rows)],
    );
  }
  await suite.query('update search.vector_space set written = written + $2 where id = $1', [space.id, corpus.length]);
}
