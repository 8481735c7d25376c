import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { installPackages } from '../packages/install-packages.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';

const FOLDER = 'tools/openapi-rules';
const CHECKS = [
  ['redocly', 'lint', '--config', 'redocly.yaml', '--format', 'stylish', 'docs/reference/openapi.json'],
  ['spectral', 'lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', 'docs/reference/openapi.json'],
  ['spectral', 'lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', 'docs/reference/asyncapi.json'],
];

/** Runs `npm run check:openapi`: fails on any error or warning according to the rule sets of Redocly and Spectral. */
installPackages(FOLDER);
const directory = resolve(WORKSPACE_ROOT, FOLDER);
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
for (const [program = '', ...args] of CHECKS) {
  const given = args.map((arg) => (arg.startsWith('docs/') ? resolve(WORKSPACE_ROOT, arg) : arg));
  console.log(`${program} ${args.join(' ')}`);
  try {
    execFileSync(resolve(directory, 'node_modules/.bin', program), given, { cwd: directory, env, stdio: 'inherit' });
  } catch {
    process.exitCode = 1;
  }
}
