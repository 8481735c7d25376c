import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '@steward/contracts';
import { defineRoute, tagRoutes, type Route } from '@steward/http';

interface Download {
  /**
   * Path in the URL, and also the path of the file, relative to the bundle. The build writes the file, so a gateway
   * that runs from its sources does not have it.
   */
  readonly path: string;
  readonly operationId: string;
  readonly mediaType: string;
  readonly summary: string;
}

const CLI: readonly Download[] = [
  {
    path: 'cli/steward.tgz',
    operationId: 'downloadCli',
    mediaType: 'application/gzip',
    summary: 'Download the `steward` command of this version, as an npm package without dependencies.',
  },
  {
    path: 'cli/steward.tgz.sha256',
    operationId: 'readCliChecksum',
    mediaType: 'text/plain',
    summary: 'Read the SHA-256 of the package of the `steward` command, in the format of `sha256sum --check`.',
  },
];

const SDKS: readonly Download[] = [
  {
    path: 'sdk/steward-sdk.tgz',
    operationId: 'downloadTypescriptSdk',
    mediaType: 'application/gzip',
    summary: 'Download the TypeScript SDK of this version, as an npm package without dependencies.',
  },
  {
    path: 'sdk/steward-sdk.tgz.sha256',
    operationId: 'readTypescriptSdkChecksum',
    mediaType: 'text/plain',
    summary: 'Read the SHA-256 of the TypeScript SDK, in the format of `sha256sum --check`.',
  },
  {
    path: 'sdk/steward-sdk.tar.gz',
    operationId: 'downloadPythonSdk',
    mediaType: 'application/gzip',
    summary: 'Download the Python SDK of this version, as a source distribution without dependencies.',
  },
  {
    path: 'sdk/steward-sdk.tar.gz.sha256',
    operationId: 'readPythonSdkChecksum',
    mediaType: 'text/plain',
    summary: 'Read the SHA-256 of the Python SDK, in the format of `sha256sum --check`.',
  },
];

/**
 * Creates the routes for downloading the command line client and the SDKs. The service serves them itself, so that they
 * have the same version as the service.
 */
export function createDownloadRoutes(): Route[] {
  return [...tagRoutes('command line', CLI.map(defineDownload)), ...tagRoutes('SDKs', SDKS.map(defineDownload))];
}

function defineDownload({ path, operationId, mediaType, summary }: Download): Route {
  const bytes = readBuilt(path);
  return defineRoute({
    operationId,
    method: 'get',
    path: `/${path}`,
    auth: 'none',
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
}

function readBuilt(path: string): Buffer | undefined {
  try {
    return readFileSync(resolve(import.meta.dirname, path));
  } catch {
    return undefined;
  }
}
