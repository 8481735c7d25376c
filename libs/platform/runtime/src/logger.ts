import winston from 'winston';
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
  const secrets = (options.secrets ?? []).filter((secret) => secret.length >= 6);
  const clean = winston.format((info) => {
    const { level, message, ...fields } = info;
    const cleaned = redact(fields, secrets) as Record<string, unknown>;
    return { level, message: redact(message, secrets), ...cleaned } as winston.Logform.TransformableInfo;
  });
  const line = options.pretty ? winston.format.printf(renderPretty) : winston.format.printf(renderJson);
  const root = winston.createLogger({
    level: options.level,
    format: winston.format.combine(clean(), winston.format.timestamp(), line),
    transports: [
      options.stream === undefined
        ? new winston.transports.Stream({ stream: process.stdout, eol: '\n' })
        : new winston.transports.Stream({ stream: options.stream, eol: '\n' }),
    ],
  });
  return wrap(root, { service: options.service });
}

function wrap(root: winston.Logger, bound: LogFields): Logger {
  const write = (level: string) => (event: string, fields: LogFields = {}) => {
    root.log({ level, message: event, ...bound, ...fields });
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => wrap(root, { ...bound, ...fields }),
  };
}

function renderJson(info: winston.Logform.TransformableInfo): string {
  const { timestamp, level, message, ...fields } = info;
  return JSON.stringify({ time: timestamp, level, event: message, ...fields });
}

function renderPretty(info: winston.Logform.TransformableInfo): string {
  const { timestamp, level, message, service, ...fields } = info;
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return `${String(timestamp)} ${level.toUpperCase().padEnd(5)} ${String(service)} ${String(message)} ${rest}`.trimEnd();
}
