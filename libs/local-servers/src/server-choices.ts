import type { ResolveOptions } from './server-options.ts';

const SOURCES = ['auto', 'local', 'docker'] as const;
export type ServerSource = (typeof SOURCES)[number];

/**
 * Reads the environment's choices for servers on this machine: `STEWARD_LOCAL_SERVERS` (`auto`, `local` or `docker`)
 * and `STEWARD_NO_INSTALL=1`.
 * @throws if `STEWARD_LOCAL_SERVERS` has any other value
 */
export function readServerChoices(
  environment: Readonly<Record<string, string | undefined>>,
): Pick<ResolveOptions, 'source' | 'allowInstall'> {
  const named = environment.STEWARD_LOCAL_SERVERS?.trim() ?? '';
  const source = named === '' ? 'auto' : SOURCES.find((each) => each === named);
  if (source === undefined)
    throw new Error(`STEWARD_LOCAL_SERVERS is "${named}"; the allowed values are ${SOURCES.join(', ')}`);
  return { source, allowInstall: environment.STEWARD_NO_INSTALL !== '1' };
}
