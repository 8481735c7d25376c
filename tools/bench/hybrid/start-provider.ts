import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Provider {
  readonly origin: string;
  close(): Promise<void>;
}

/** A provider of embeddings that answers at once. */
export async function startProvider(makeVector: (name: string) => Float32Array): Promise<Provider> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: Array.from(makeVector(text)) }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data, usage: { prompt_tokens: input.length } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
