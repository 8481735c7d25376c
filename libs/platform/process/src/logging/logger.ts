import winston from 'winston';
import { gatherLines } from './gather-lines.ts';
import { listSecretForms } from './redact-text.ts';
import { redact } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes one line with many fields per unit of work. `event` is a name with a dot and a verb, usually in the past
 * tense, for example `http.request_served`.
 */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  /** Logs an event that a person should look at this week. */
  warn(event: string, fields?: LogFields): void;
  /** Logs an event that a person should look at now. */
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly service: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** True for human-readable lines instead of JSON. */
  readonly pretty: boolean;
  /** Exact strings that must never be printed, for example the configured secrets. */
  readonly secrets?: readonly string[];
  /** Target of the lines; default: standard output. */
  readonly stream?: NodeJS.WritableStream;
}

export function createLogger(options: LoggerOptions): Logger {
  const secrets = listSecretForms(options.secrets ?? []);
  const clean = winston.format((info) => {
    // The line is changed in place, because winston also stores the level under a symbol, and drops a line without this
    // symbol.
    info['fields'] = redact(info['fields'], secrets);
    info.message = redact(info.message, secrets);
    return info;
  });
  const line = options.pretty ? winston.format.printf(renderPretty) : winston.format.printf(renderJson);
  const root = winston.createLogger({
    level: options.level,
    format: winston.format.combine(clean(), winston.format.timestamp(), line),
    transports: [new winston.transports.Stream({ stream: options.stream ?? toStandardOutput(), eol: '\n' })],
  });
  const isEnabled = (level: string): boolean => root.isLevelEnabled(level);
  const enabled = {
    debug: isEnabled('debug'),
    info: isEnabled('info'),
    warn: isEnabled('warn'),
    error: isEnabled('error'),
  };
  return wrap(root, enabled, { service: options.service });
}

let standardOutput: NodeJS.WritableStream | undefined;

/** Returns the one stream of the process, so that the lines of all its loggers keep their order. */
function toStandardOutput(): NodeJS.WritableStream {
  standardOutput ??= gatherLines(process.stdout);
  return standardOutput;
}

type Enabled = Readonly<Record<LoggerOptions['level'], boolean>>;

function wrap(root: winston.Logger, enabled: Enabled, bound: LogFields): Logger {
  const write = (level: LoggerOptions['level'], event: string, fields: LogFields = {}): void => {
    // The level is checked here, once for all loggers: winston would first clean and render a line and check the level
    // last, in the transport. Half of the lines of a busy worker are debug lines, which are usually not written.
    if (!enabled[level]) return;
    // The fields are nested, so that one named `message` or `level` does not replace winston's own.
    root.log({ level, message: event, fields: { ...bound, ...fields } });
  };
  return {
    debug: (event, fields) => write('debug', event, fields),
    info: (event, fields) => write('info', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    error: (event, fields) => write('error', event, fields),
    child: (fields) => wrap(root, enabled, { ...bound, ...fields }),
  };
}

function renderJson(info: winston.Logform.TransformableInfo): string {
  const head = { time: info['timestamp'], level: info.level, event: info.message };
  const fields = info['fields'] as LogFields;
  // The head is spread before the fields, so that it is at the beginning of the line, and again after the fields, so
  // that they do not replace it.
  if ('time' in fields || 'level' in fields || 'event' in fields)
    return JSON.stringify({ ...head, ...fields, ...head });
  // Hardly any line has a field with one of these names. For all other lines, head and fields are rendered separately,
  // which avoids a copy.
  const rest = JSON.stringify(fields);
  return rest === '{}' ? JSON.stringify(head) : `${JSON.stringify(head).slice(0, -1)},${rest.slice(1)}`;
}

function renderPretty(info: winston.Logform.TransformableInfo): string {
  const { service, ...fields } = info['fields'] as LogFields;
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  const head = [info['timestamp'], info.level.toUpperCase().padEnd(5), service, info.message].map(String).join(' ');
  return `${head} ${rest}`.trimEnd();
}
