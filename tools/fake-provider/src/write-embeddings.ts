import type { CallBody } from './call.ts';

const WIDTH = 8;

/** Writes the body of `POST /v1/embeddings`: a vector that depends only on the text's length. */
export function writeEmbeddings(body: CallBody, bodyBytes: number): unknown {
  const inputs = Array.isArray(body.input) ? (body.input as unknown[]) : [body.input];
  const tokens = Math.ceil(bodyBytes / 4);
  return {
    object: 'list',
    data: inputs.map((input, index) => {
      const seed = String(input).length;
      const vector = Float32Array.from({ length: body.dimensions ?? WIDTH }, (_, place) => 1 / (seed + place + 1));
      const embedding = body.encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
