import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import express, { type Router } from 'express';
import { refusePath } from './check-target.ts';
import type { Handler } from './request-facts.ts';
import { nameRoute } from './start-request.ts';

/** Router that serves a built single-page web site, or a built page that other sites embed. */
export type Site = Router;

/** Suffixes of compressed variants that a build wrote next to a file; the smallest variant comes first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
const COMPRESSED: readonly string[] = Object.values(ENCODINGS);

/**
 * Returns the content security policy of the page: the page runs only scripts from this server, creates no markup from
 * strings (Trusted Types), and connects only to this origin. The policy needs no nonce, because the page has no inline
 * scripts or styles. A development server adds scripts and styles, and lists their sources in `ownSources`.
 */
export const buildPagePolicy = (ownSources = "'self'", frameAncestors: readonly string[] = []): string =>
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
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    "require-trusted-types-for 'script'",
  ].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': buildPagePolicy(),
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept',
  'X-Robots-Tag': 'noindex',
};

/**
 * Returns a router that serves `index.html` at the paths of the screens and the files of `assets/` at their own paths;
 * undefined without an `index.html`.
 */
export function readSite(directory: string, screens: readonly string[]): Site | undefined {
  if (!existsSync(resolve(directory, 'index.html'))) return undefined;
  const router = express.Router({ caseSensitive: true });
  for (const screen of screens)
    router.get(screen.replace(/\*$/, '*rest'), nameRoute(screen), createServePage(directory));
  const assets = resolve(directory, 'assets');
  router.use('/assets', nameRoute('/assets/*'), chooseEncoding(assets), serveAssets(assets));
  router.use(refusePath);
  return router;
}

/**
 * Returns a handler that serves a screen only to browsers: if a client requests anything other than a page, the path of
 * the screen is treated as unknown, like a mistyped API path.
 */
function createServePage(root: string): Handler {
  const options = { root, headers: PAGE_HEADERS, cacheControl: false, lastModified: false, acceptRanges: false };
  return (request, response, next) => {
    if (/\btext\/html\b/i.test(request.headers.accept ?? '')) response.sendFile('index.html', options);
    else next();
  };
}

export interface FramedPage {
  readonly directory: string;
  readonly file: string;
  /** The path with one parameter, `:id`. */
  readonly path: string;
  /** Origins whose pages may contain the page of this id in a frame; undefined if there is no such id. */
  readonly findOrigins: (id: string) => Promise<readonly string[] | undefined>;
}

/**
 * Returns a router that serves a page that other sites embed; undefined if the file was not built. For an unknown id,
 * the router sends the same page with status 404; the page then states what is wrong, and no site can embed it.
 */
export function createFramedPage({ directory, file, path, findOrigins }: FramedPage): Site | undefined {
  if (!existsSync(resolve(directory, file))) return undefined;
  const router = express.Router({ caseSensitive: true });
  const serve: Handler = async (request, response, next) => {
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return next();
    const origins = await findOrigins(String(request.params['id']));
    const policy = buildPagePolicy(undefined, origins);
    // Browsers that support `frame-ancestors` ignore this header; other browsers would refuse every frame because of
    // it.
    if (origins !== undefined && origins.length > 0) response.removeHeader('X-Frame-Options');
    else response.setHeader('X-Frame-Options', 'DENY');
    response.status(origins === undefined ? 404 : 200);
    response.sendFile(file, {
      ...{ root: directory, cacheControl: false, lastModified: false, acceptRanges: false },
      headers: { ...PAGE_HEADERS, 'Content-Security-Policy': policy },
    });
  };
  router.get(path, nameRoute(path), serve);
  return router;
}

/**
 * Returns a handler that replaces the requested file with the smallest variant that was built and that the client
 * accepts.
 */
function chooseEncoding(directory: string): Handler {
  return (request, _response, next) => {
    const name = request.path.slice(1);
    if (COMPRESSED.includes(extname(name))) return next('router');
    const [, suffix = ''] =
      Object.entries(ENCODINGS).find(
        ([encoding, ending]) =>
          request.acceptsEncodings(encoding) !== false && existsSync(resolve(directory, name + ending)),
      ) ?? [];
    request.url = `/${name}${suffix}`;
    next();
  };
}

/** Value of `Cache-Control` for a file whose name contains a hash of its content: the file at a path never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Content types that Express does not set. */
const MEDIA_TYPES: Readonly<Record<string, string>> = { '.jsonl': 'application/jsonl; charset=utf-8' };

function serveAssets(directory: string) {
  return express.static(directory, {
    index: false,
    redirect: false,
    acceptRanges: false,
    setHeaders: (response, file) => {
      const [encoding] = Object.entries(ENCODINGS).find(([, suffix]) => file.endsWith(suffix)) ?? [];
      const extension = extname(encoding === undefined ? file : file.slice(0, -extname(file).length));
      response.type(MEDIA_TYPES[extension] ?? extension);
      response.vary('Accept-Encoding').setHeader('Cache-Control', FOR_EVER);
      if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
      // The service worker's file is in a folder, but the worker handles the push notices of all pages.
      if (basename(file).startsWith('service-worker-')) response.setHeader('Service-Worker-Allowed', '/');
    },
  });
}
