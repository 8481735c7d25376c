import { parseArgs } from 'node:util';
import { startFakeProvider } from './start-fake-provider.ts';

const HELP = `npm run fake-provider -- [--port N] [--api-key KEY]

Serves the APIs of OpenAI and Anthropic on this machine, with made-up responses. For tests and benchmarks.

  --port      port (default: 4010)
  --api-key   key that every call must have

To make the next calls fail while it runs: PUT /behaviour {"behaviour": {"status": 429, "retryAfter": "1"}, "times": 3}`;

/** Runs `npm run fake-provider`. */
const { values } = parseArgs({
  options: { port: { type: 'string' }, 'api-key': { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help === true) {
  console.log(HELP);
  process.exit(0);
}
const apiKey = values['api-key'];
const provider = await startFakeProvider({
  port: Number(values.port ?? 4010),
  ...(apiKey === undefined ? {} : { apiKey }),
});
console.log(`fake provider: OpenAI at ${provider.origin}/v1, Anthropic at ${provider.origin}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
