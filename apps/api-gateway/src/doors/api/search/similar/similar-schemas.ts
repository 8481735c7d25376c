import { Type } from '@sinclair/typebox';
import { CHUNK_PLACE, describeDegraded, SESSION_HEADING } from '../session-heading.ts';

export const SimilarQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Sessions, default 10.' })),
    window_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Content of the last days alone; all of it by default.' }),
    ),
  },
  { additionalProperties: false },
);

const Similarity = Type.Number({ description: 'Cosine: 1 says the same, 0 has nothing in common.' });

const Excerpt = Type.Object({
  ...CHUNK_PLACE,
  text: Type.String({ description: 'HTML, everything escaped.' }),
  similarity: Similarity,
});

const SimilarSession = Type.Object({
  ...SESSION_HEADING,
  similarity: Similarity,
  excerpts: Type.Array(Excerpt, { description: 'The parts that are most alike, best first: at most three.' }),
});

export const SimilarAnswerSchema = Type.Object({
  items: Type.Array(SimilarSession),
  degraded: describeDegraded('Why nothing could be compared.'),
});
