import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the path of a nats-server binary, or undefined. */
export function findNatsServer(): string | undefined {
  const directories = [
    ...(process.env.PATH ?? '').split(':'),
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/bin',
    '/opt/homebrew/bin',
  ];
  return directories.map((directory) => resolve(directory, 'nats-server')).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
