import { readServerChoices, type ServerSource } from '@steward/local-servers';
import { parseOptions } from '../options/parse-options.ts';

export interface StartOptions {
  readonly port: number;
  readonly allowInstall: boolean;
  readonly source: ServerSource;
}

const HELP = `npm start [-- options]

Starts the whole suite on this machine: Postgres with pgvector and NATS (existing ones, or installed after a notice), migrations and
the five apps. Ctrl-C stops everything that it started. Data stays in .local/ until "npm run reset".

  --port N       port of the API (default: the variable PORT, otherwise 8000)
  --no-install   refuse to install missing packages (also STEWARD_NO_INSTALL=1)
  --help         print this help

Variables: DATABASE_URL and NATS_URL use servers that already run; STEWARD_LOCAL_SERVERS=docker runs both in Docker,
=local never does (default: auto); DEBUG=true reloads apps on code changes and serves the console from its sources on
port 5173. Every setting of docs/reference/configuration.md is passed to the apps that read it, secrets as files in
.local/secrets. Each secret may be set as a file (DATABASE_URL_FILE, ...), so that it is not in any environment.`;

/** Reads the options of `npm start`; prints the help and ends the process if requested. */
export function readStartOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  return parseOptions(args, {
    help: HELP,
    options: { port: { type: 'string' }, 'no-install': { type: 'boolean' } },
    read: (values) => {
      const choices = readServerChoices(environment);
      return {
        port: readPort(values.port ?? environment.PORT ?? '8000'),
        ...choices,
        allowInstall: choices.allowInstall && values['no-install'] !== true,
      };
    },
  });
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`"${text}" is not a port`);
  return port;
}
