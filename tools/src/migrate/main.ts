import { listProblems } from './list-problems.ts';

/**
 * Commands that an operator runs once, in addition to the apps. They are also part of the container image, which
 * contains only this one file. Each command loads only the modules that it needs.
 */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  migrate: async (args) => (await import('./run-migrate.ts')).runMigrate(args),
  'derive-keys': async (args) => (await import('../keys/derive-keys.ts')).runDeriveKeys(args),
  'rotate-key': async (args) => (await import('../keys/rotate-key.ts')).runRotateKey(args),
};

// `npm run migrate -- --option` does not contain a command name.
const given = process.argv.slice(2);
const [name = '', ...args] = given[0]?.startsWith('-') === false ? given : ['migrate', ...given];
try {
  const run = COMMANDS[name];
  if (run === undefined) throw new Error(`unknown command; available commands: ${Object.keys(COMMANDS).join(', ')}`);
  await run(args);
} catch (error) {
  for (const line of listProblems(name, error)) console.error(line);
  process.exitCode = 1;
}
