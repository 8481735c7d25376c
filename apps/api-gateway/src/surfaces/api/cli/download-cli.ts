import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '@steward/contracts';
import { defineRoute, type Route } from '@steward/http';

/** Written there by the build; a gateway that runs from its sources has none. */
const DIRECTORY = resolve(import.meta.dirname, 'cli');

const FILES = [
  {
    operationId: 'downloadCli',
    name: 'steward.tgz',
    mediaType: 'application/gzip',
    summary: 'Download the `steward` command of this version, as an npm package without dependencies.',
  },
  {
    operationId: 'readCliChecksum',
    name: 'steward.tgz.sha256',
    mediaType: 'text/plain',
    summary: 'Read the SHA-256 of the package, in the format of `sha256sum --check`.',
  },
] as const;

/** The service serves its own command line, so that both always have the same version. */
export function createCliRoutes(): Route[] {
  return FILES.map(({ operationId, name, mediaType, summary }) => {
    const bytes = readBuilt(name);
    return defineRoute({
      operationId,
      method: 'get',
      path: `/cli/${name}`,
      auth: 'none',
      tag: 'command line',
      summary,
      responses: { 200: { description: 'The file.', mediaType } },
      handler: () => {
        if (bytes === undefined)
          throw new AppError('not_found', {
            message: 'This gateway runs from source; the package is part of a build (npm run build).',
          });
        return Promise.resolve({
          stream: (response) => {
            response.writeHead(200, { 'content-type': mediaType, 'content-length': bytes.length });
            response.end(bytes);
            return Promise.resolve();
          },
        });
      },
    });
  });
}

function readBuilt(name: string): Buffer | undefined {
  try {
    return readFileSync(resolve(DIRECTORY, name));
  } catch {
    return undefined;
  }
}
