import { fail, MAX_TOOL_TEXT_BYTES, type AgentTool } from './tool.ts';

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3600;
const MAX_COMMAND_BYTES = 64 * 1024;

export const runShellTool: AgentTool = {
  name: 'run_shell',
  description: `Runs a command with /bin/sh in the workspace and returns its exit code and output (the end of the output if it is longer than ${MAX_TOOL_TEXT_BYTES} bytes).`,
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_SECONDS,
        description: `Default ${DEFAULT_SECONDS}.`,
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  async run({ command, timeout_seconds: seconds = DEFAULT_SECONDS }, context) {
    if (typeof command !== 'string' || command.trim() === '' || command.includes('\0'))
      return fail('"command" must be a shell command.');
    if (Buffer.byteLength(command) > MAX_COMMAND_BYTES)
      return fail(`A command can have at most ${MAX_COMMAND_BYTES} bytes.`);
    if (typeof seconds !== 'number' || !(seconds >= 1 && seconds <= MAX_SECONDS))
      return fail(`"timeout_seconds" must be from 1 to ${MAX_SECONDS}.`);
    const timeout = AbortSignal.timeout(seconds * 1000);
    const output = createTail(MAX_TOOL_TEXT_BYTES);
    const exit = await context.sandbox.run({
      argv: ['/bin/sh', '-c', command],
      environment: context.environment,
      signal: AbortSignal.any([context.signal, timeout]),
      onLine: (line) => {
        output.add(line);
        return Promise.resolve();
      },
    });
    const text = output.read();
    if (timeout.aborted) return fail(`The command exceeded ${seconds} s and was terminated.\n${text}`);
    if (exit.kind === 'not_started') return fail(`The command could not be started: ${exit.reason}`);
    return exit.kind === 'exited'
      ? { kind: exit.code === 0 ? 'done' : 'failed', text: `exit code ${exit.code}\n${text}` }
      : fail(`ended by ${exit.signal}\n${text}`);
  },
};

/** Creates a buffer that retains only the last lines of an output of any length. */
function createTail(maxBytes: number): { add(line: string): void; read(): string } {
  let lines: string[] = [];
  let bytes = 0;
  let dropped = 0;
  return {
    add(line) {
      lines.push(line);
      bytes += Buffer.byteLength(line) + 1;
      // Trims in large steps, so that the array is not shifted for every line if there are many short ones.
      if (bytes < maxBytes * 2) return;
      while (bytes > maxBytes && lines.length > 1) {
        const keepFrom = Math.ceil(lines.length / 2);
        const cut = lines.slice(0, keepFrom);
        lines = lines.slice(keepFrom);
        dropped += cut.length;
        bytes -= cut.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
      }
    },
    read() {
      const note = dropped === 0 ? '' : `[${dropped} earlier lines were omitted]\n`;
      const text = Buffer.from(lines.join('\n'));
      return note + text.subarray(Math.max(0, text.length - maxBytes)).toString('utf8');
    },
  };
}
