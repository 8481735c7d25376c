import { createToolServerClient } from '../create-tool-server-client.ts';

/** Measured effects of requests to a tool server on an otherwise idle process. */
export interface AskReport {
  /** Error of the request; undefined if it succeeded. */
  readonly error: string | undefined;
  readonly milliseconds: number;
  /** Growth of the peak memory of the process in MB. */
  readonly grownMb: number;
  /** Longest CPU time in milliseconds without yielding; elapsed time would include waits on a busy machine. */
  readonly blockedMs: number;
}

/**
 * Arguments of this program, which runs as a separate process and prints a report: `ask-tool-server.ts URL list|call`.
 */
const [url = '', what = ''] = process.argv.slice(2);
const client = createToolServerClient({ insecureOrigins: [new URL(url).origin] });
const target = { key: 'key', name: 'bombs', url, headers: {} };
const call = { name: 'boom', arguments: {}, caller: 'somebody', traceparent: '', onProgress: () => undefined };
const { signal } = new AbortController();
const readPeakMb = (): number => process.resourceUsage().maxRSS / 1024;

// A first request loads the code, which must not be measured.
await client.listTools({ ...target, key: 'warm', url: `${new URL(url).origin}/none/none` }, signal);
let blockedMs = 0;
let spent = process.cpuUsage();
const watch = (): void => {
  const { user, system } = process.cpuUsage(spent);
  blockedMs = Math.max(blockedMs, (user + system) / 1000);
  spent = process.cpuUsage();
  setImmediate(watch);
};
const before = readPeakMb();
const startedAt = performance.now();
watch();
const asked = what === 'list' ? client.listTools(target, signal) : client.callTool(target, { ...call, signal });
const error = await asked.then(
  () => undefined,
  (reason: unknown) => (reason as Error).message,
);
const milliseconds = performance.now() - startedAt;
const report: AskReport = { error, milliseconds, grownMb: readPeakMb() - before, blockedMs };
process.stdout.write(JSON.stringify(report));
process.exit();
