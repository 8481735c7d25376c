import { describeError } from '../describe-error.ts';
import { serveConsole } from '../stack/serve-console.ts';

/** `npm run dev:console`: the console as it is worked on, in front of the API at `STEWARD_API_URL`, until Ctrl-C. */
const apiUrl = process.env.STEWARD_API_URL ?? 'http://127.0.0.1:8000';
try {
  const { url } = await serveConsole(apiUrl);
  console.log(`the console: ${url}, in front of the API at ${apiUrl}; Ctrl-C ends it`);
} catch (error) {
  console.error(`npm run dev:console: ${describeError(error)}`);
  process.exitCode = 1;
}
