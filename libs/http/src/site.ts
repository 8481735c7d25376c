import { readdirSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { RequestHandler } from './handle-request.ts';
import { refusePath } from './refuse-path.ts';
import { sendBytes, sendHtml } from './send-answer.ts';

/** A built single-page web site, held in memory. */
export interface Site {
  /** Handlers of its paths, for GET and HEAD. */
  readonly handlers: ReadonlyMap<string, RequestHandler>;
}

interface SiteFile {
  readonly mediaType: string;
  readonly plain: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jsonl': 'application/jsonl; charset=utf-8',
};

/**
 * The page runs only scripts from here, creates no markup from text (Trusted Types), and connects only to this origin.
 * It needs no nonce, because it has no inline parts. A development server adds scripts and styles of its own, and names
 * them in `ownSources`.
 */
export const buildPagePolicy = (ownSources = "'self'"): string =>
  [
    "default-src 'none'",
    `script-src ${ownSources}`,
    `style-src ${ownSources}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const PAGE_POLICY = buildPagePolicy();

/** The name contains a content hash, so the file never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Reads a built site: `index.html` is the response for its screens, `assets/` its files, with compressed variants of
 * the build. Read once: a later build in the same folder is used by the next process, and no request sees a mix of
 * both. Undefined without an `index.html`.
 */
export function readSite(directory: string, screens: readonly string[]): Site | undefined {
  const page = readIfThere(resolve(directory, 'index.html'))?.toString();
  if (page === undefined) return undefined;
  const files = readFiles(resolve(directory, 'assets'));
  const servePage = createServePage(page);
  return {
    handlers: new Map([
      ...screens.map((path) => [path, servePage] as const),
      ['/assets/*', createServeFile(files)] as const,
    ]),
  };
}

/**
 * A screen is for browsers: for any client that does not ask for a page its address does not exist, as for a mistyped
 * path of the API.
 */
function createServePage(html: string): RequestHandler {
  return ({ message }, response, facts) => {
    if (!/\btext\/html\b/i.test(message.headers.accept ?? '')) return refusePath();
    const headers = { 'Content-Security-Policy': PAGE_POLICY, Vary: 'Accept' };
    sendHtml(response, { status: 200, headers, html }, facts);
    return Promise.resolve();
  };
}

function createServeFile(files: ReadonlyMap<string, SiteFile>): RequestHandler {
  return ({ message, params }, response, facts) => {
    const file = files.get(params['*'] ?? '');
    if (file === undefined) return refusePath();
    const encoding = chooseEncoding(file, String(message.headers['accept-encoding'] ?? ''));
    const bytes = (encoding === undefined ? undefined : file.encoded[encoding]) ?? file.plain;
    const headers = {
      'Cache-Control': FOR_EVER,
      Vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    };
    sendBytes(response, { status: 200, headers, bytes, mediaType: file.mediaType }, facts);
    return Promise.resolve();
  };
}

/** The smallest variant that the client accepts; a weight of zero (`br;q=0`) means it does not. */
function chooseEncoding(file: SiteFile, accepted: string): Encoding | undefined {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (Object.keys(ENCODINGS) as Encoding[]).find(
    (encoding) => file.encoded[encoding] !== undefined && names.includes(encoding),
  );
}

function readFiles(directory: string): Map<string, SiteFile> {
  const names = listNames(directory);
  const compressed = Object.values(ENCODINGS) as string[];
  return new Map(
    names
      .filter((name) => !compressed.includes(extname(name)))
      .map((name) => [
        name,
        {
          mediaType: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
          plain: readFileSync(resolve(directory, name)),
          encoded: Object.fromEntries(
            Object.entries(ENCODINGS)
              .filter(([, suffix]) => names.includes(name + suffix))
              .map(([encoding, suffix]) => [encoding, readFileSync(resolve(directory, name + suffix))]),
          ),
        },
      ]),
  );
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
