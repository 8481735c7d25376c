import { describeError } from '../describe-error.ts';
import { parseOptions } from '../options/parse-options.ts';
import { readCount } from '../options/read-numbers.ts';
import { serveConsole } from '../stack/serve-console.ts';

const HELP = `npm run dev:console [-- --port N]

Serves the console from its sources, with reload on changes, for the API at STEWARD_API_URL (http://127.0.0.1:8000), until Ctrl-C.

  --port N   port (5173)`;

const port = parseOptions(process.argv.slice(2), {
  help: HELP,
  options: { port: { type: 'string' } },
  read: (values) => (values.port === undefined ? undefined : readCount('port', values.port)),
});
const apiUrl = process.env.STEWARD_API_URL ?? 'http://127.0.0.1:8000';
try {
  const { url } = await serveConsole(apiUrl, port);
  console.log(`the console: ${url}, in front of the API at ${apiUrl}; Ctrl-C stops it`);
} catch (error) {
  console.error(`npm run dev:console: ${describeError(error)}`);
  process.exitCode = 1;
}
