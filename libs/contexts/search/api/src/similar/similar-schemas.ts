import { Type } from '@sinclair/typebox';
import { CHUNK_PLACE, describeDegraded, SESSION_HEADING } from '@steward/api';

export const SimilarQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Maximum number of sessions; default 10.' }),
    ),
    window_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        description: 'Number of past days whose content is considered; default: all content.',
      }),
    ),
  },
  { additionalProperties: false },
);

const Similarity = Type.Number({ description: 'Cosine similarity: 1 for the same meaning, 0 for nothing in common.' });

const Excerpt = Type.Object({
  ...CHUNK_PLACE,
  text: Type.String({ description: 'Text of the excerpt, escaped for HTML; it contains no markup.' }),
  similarity: Similarity,
});

const SimilarSession = Type.Object({
  ...SESSION_HEADING,
  similarity: Similarity,
  excerpts: Type.Array(Excerpt, { description: 'The most similar parts of the session, best first; at most three.' }),
});

export const SimilarAnswerSchema = Type.Object({
  items: Type.Array(SimilarSession),
  degraded: describeDegraded('Why no comparison was possible.'),
});
