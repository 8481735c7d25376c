import winston from 'winston';
import { gatherLines } from './gather-lines.ts';
import { listSecretForms } from './redact-text.ts';
import { redact } from './redact.ts';

export type LogFields = Readonly<Record<string, unknown>>;

/** One wide line per unit of work: `event` is past tense with a dot, for example `http.request_served`. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  /** A person should look this week. */
  warn(event: string, fields?: LogFields): void;
  /** A person should look now. */
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly service: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Lines for people instead of JSON. */
  readonly pretty: boolean;
  /** Exact strings that must never be printed, for example the configured secrets. */
  readonly secrets?: readonly string[];
  /** Where lines go; standard output when left out. */
  readonly stream?: NodeJS.WritableStream;
}

export function createLogger(options: LoggerOptions): Logger {
  const secrets = listSecretForms(options.secrets ?? []);
  const clean = winston.format((info) => {
    // Changed in place: winston keeps the level under a symbol too, and drops a line that lost it.
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

/** One for the process: the lines of all its loggers keep their order. */
function toStandardOutput(): NodeJS.WritableStream {
  standardOutput ??= gatherLines(process.stdout);
  return standardOutput;
}

type Enabled = Readonly<Record<LoggerOptions['level'], boolean>>;

function wrap(root: winston.Logger, enabled: Enabled, bound: LogFields): Logger {
  const write = (level: LoggerOptions['level'], event: string, fields: LogFields = {}): void => {
    // Asked here, and once for all loggers: winston cleans and renders a line first and asks last, in the transport. Half of
    // the lines of a busy worker are debug lines that nobody sees.
    if (!enabled[level]) return;
    // Nested: a field named `message` or `level` must not take the place of winston's own.
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
  // The head comes twice: first for its place in the line, last because a field must not replace it.
  if ('time' in fields || 'level' in fields || 'event' in fields)
    return JSON.stringify({ ...head, ...fields, ...head });
  // Nearly no line has such a field, and writing the two parts one after the other copies nothing.
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
