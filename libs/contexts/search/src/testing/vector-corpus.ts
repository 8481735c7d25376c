import { newId } from '@steward/crypto';
import type { VectorSpace } from '../vectors/vector-space.ts';
import type { OpenVectors } from './open-vectors.ts';

export interface CorpusVector {
  readonly chunkId: string;
  readonly vector: Float32Array;
  /** Values of the filter columns, by the names of the columns. */
  readonly columns: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
/**
 * Value of a filter column that occurs in only one arc of the ring; an index that filters its results afterwards finds
 * too few of these vectors.
 */
const RARE = 'rare';
/**
 * Step between vectors written consecutively, so that neighbors on the ring are not written one after the other; it is
 * odd, so that row numbers alternate between even and odd.
 */
const STRIDE = 7919;
/**
 * Factor that determines how fast the similarity of two positions decreases with their distance; it decreases
 * monotonically for any dimensions.
 */
const DECAY = 0.7;
const LEFT_OUT = 0.25;

/**
 * Returns vectors in a ring: the fewer positions are between two of them, the more similar they are. Any index graph
 * certainly links neighbors, so that it finds exactly the nearest vectors; for arbitrary vectors this would depend on
 * the random levels of the graph. Filters match a half, a tenth, a hundredth, an arc, or five neighbors, far from most
 * queries.
 */
export function buildVectorCorpus(count: number, width: number): CorpusVector[] {
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, index) => {
    const place = (index * STRIDE) % count;
    return {
      chunkId: newId(),
      vector: placeOnRing(place / count, width),
      columns: {
        runtime_session_id: `00000000-0000-4000-8000-${String(Math.floor(index / 10)).padStart(12, '0')}`,
        occurred_at: new Date(start + (index * 300 * DAY_MS) / count).toISOString(),
        source_kind: index % 10 === 3 ? 'tool_call' : 'transcript_message',
        model_alias: place < 5 ? RARE : index % 2 === 0 ? 'even' : 'odd',
        provider_name: index % 100 === 7 ? 'seldom' : 'often',
        runtime_principal_id: `agent-${Math.floor((place * 50) / count)}`,
        api_key_id: `00000000-0000-4000-9000-${String(index % 40).padStart(12, '0')}`,
        flow_id: `00000000-0000-4000-a000-${String(index % 200).padStart(12, '0')}`,
        role: index % 3 === 0 ? 'user' : 'assistant',
      },
    };
  });
}

/**
 * Returns a vector near a position of such a corpus, at different distances from all vectors, so that the nearest one
 * is unambiguous.
 */
export function buildRingQuery(place: number, count: number, width: number): Float32Array {
  return placeOnRing((place + LEFT_OUT) / count, width);
}

/** Returns the vector at a position, which is given as a fraction of the ring. */
function placeOnRing(place: number, width: number): Float32Array {
  return Float32Array.from({ length: width }, (_, index) => {
    const wave = 1 + Math.floor(index / 2);
    const angle = 2 * Math.PI * place * wave;
    return Math.sqrt(DECAY ** wave) * (index % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });
}

/**
 * Returns a chunk whose vector is at an angle to the first direction: the larger the angle, the farther the chunk is
 * from a query in that direction.
 */
export function placeOnArc(sessionId: string, angle: number, width: number): CorpusVector {
  const vector = Float32Array.from({ length: width }, (_, index) =>
    index === 0 ? Math.cos(angle) : index === 1 ? Math.sin(angle) : 0,
  );
  const columns = { runtime_session_id: sessionId, occurred_at: '2026-10-01T00:00:00Z', source_kind: 'tool_call' };
  return { chunkId: newId(), vector, columns };
}

/**
 * Inserts vectors without chunks into the table in which the space currently stores them, because writing thousands of
 * chunks would take minutes.
 */
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
