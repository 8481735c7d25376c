import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Workplace } from './agents.ts';
import { findBinary } from './install-clients.ts';
import { lastLine, tell, type Line } from './line.ts';
import { writePrompt } from './plan.ts';
import { runSteward, toEnvironment, type PlaceDeps } from './prepare-place.ts';
import { eventually } from './read-sessions.ts';
import { runProgram } from './run-program.ts';

const WARNING = 'tool_calls_not_asked';

/**
 * Checks an enrolled agent whose hook is not active: `validate` fails, its calls are executed without being checked,
 * and the registry shows a warning. After that, the hook is active, and `validate` succeeds.
 */
export async function checkInForce(deps: PlaceDeps, client: Client, place: Workplace): Promise<readonly Line[]> {
  const { hook, enrolls = '' } = client;
  if (hook === undefined) return CHECKS.map((check) => tell(check, undefined, 'it has no hook'));
  const environment = toEnvironment(client, place);
  const validate = () => runSteward(place, ['agents', 'validate', enrolls], { env: environment });
  hook.takeOut?.(place);
  const red = await validate();
  const prompt = writePrompt('Try a call without approval', [
    { shell: 'echo unasked > unasked.txt' },
    { say: 'tried' },
  ]);
  await runProgram([findBinary(client.binary), ...client.run(place, prompt)], { cwd: place.folder, env: environment });
  const isUnasked = existsSync(join(place.folder, 'unasked.txt'));
  const warns = await eventually(async () => (await readWarnings(deps, place)).includes(WARNING));
  await hook.bringIn(place, environment);
  const green = await validate();
  return [
    tell(
      'validate fails before the hook is trusted',
      red.code !== 0 && red.printed.includes(hook.refusal),
      lastLine(red),
    ),
    tell(
      'registry warns about unchecked calls',
      isUnasked && warns,
      isUnasked ? 'no warning' : 'the call was not made',
    ),
    tell('validate succeeds afterwards', green.code === 0, lastLine(green)),
  ];
}

const CHECKS = [
  'validate fails before the hook is trusted',
  'registry warns about unchecked calls',
  'validate succeeds afterwards',
];

/** Checks that the warning is gone once the hook has called the service. */
export async function checkWarningEnds(deps: PlaceDeps, client: Client, place: Workplace): Promise<Line> {
  const isQuiet = await eventually(async () => !(await readWarnings(deps, place)).includes(WARNING));
  return tell('registry stops warning', client.hook === undefined ? undefined : isQuiet, 'it warns');
}

async function readWarnings({ api }: PlaceDeps, { agentId }: Workplace): Promise<readonly string[]> {
  const { body } = await api.call('GET', `/api/v1/agents/${agentId}`);
  return ((body['warnings'] ?? []) as unknown as { code: string }[]).map(({ code }) => code);
}
