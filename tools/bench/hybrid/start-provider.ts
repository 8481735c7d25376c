import { serveLocally, type LocalServer } from '../../src/servers/serve-locally.ts';

/** Starts an embedding provider that responds immediately. */
export function startProvider(makeVector: (name: string) => Float32Array): Promise<LocalServer> {
  return serveLocally((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: Array.from(makeVector(text)) }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data, usage: { prompt_tokens: input.length } }));
    });
  });
}
