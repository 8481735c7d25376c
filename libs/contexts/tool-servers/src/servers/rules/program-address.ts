import { AppError, type HostedCommand } from '@steward/contracts';

const SCHEME = 'stdio:';
const MOST_ARGS = 50;
const MOST_VARIABLES = 50;
const MOST_CHARACTERS = 16_384;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/**
 * Matches the names of variables that the sandbox sets, or that would change how programs are loaded or what they
 * execute.
 */
const RESERVED = /^(PATH|HOME|TMPDIR|LANG|LD_.*|NODE_OPTIONS|STEWARD_.*)$/;

/**
 * Returns the address of a server that is a program: its command, as one string.
 * @throws invalid_request
 */
export function writeProgramAddress(command: HostedCommand): string {
  const fault = findFault(command);
  if (fault !== undefined)
    throw new AppError('invalid_request', { message: `"command" ${fault}`, detail: { field: 'command' } });
  const { args, env, network_allow: allow } = command;
  return SCHEME + JSON.stringify({ command: command.command, args, env, network_allow: allow });
}

/** Returns the command in the address of a program; undefined if it is the address of a web server. */
export function readProgramAddress(address: string): HostedCommand | undefined {
  return address.startsWith(SCHEME) ? (JSON.parse(address.slice(SCHEME.length)) as HostedCommand) : undefined;
}

function findFault({ command, args, env, network_allow: allow }: HostedCommand): string | undefined {
  if (command.trim() === '') return 'names no program.';
  if (args.length > MOST_ARGS) return `has more than ${MOST_ARGS} arguments.`;
  const names = Object.keys(env);
  if (names.length > MOST_VARIABLES) return `has more than ${MOST_VARIABLES} variables.`;
  if (!names.every((name) => VARIABLE.test(name))) return 'has a variable with an invalid name.';
  const reserved = names.find((name) => RESERVED.test(name));
  if (reserved !== undefined) return `must not set ${reserved}, which the sandbox sets.`;
  const texts = [command, ...args, ...Object.values(env)];
  if (texts.some((text) => text.includes('\u0000'))) return 'contains a NUL character.';
  return JSON.stringify([texts, allow]).length > MOST_CHARACTERS
    ? `is longer than ${MOST_CHARACTERS} characters.`
    : undefined;
}
