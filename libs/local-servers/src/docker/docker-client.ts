import { installNodePackages } from '../node-packages.ts';

/**
 * Installs the Docker client package when the first server is started in Docker, since most machines never need its
 * ninety packages.
 */
export function installDockerClient(): void {
  installNodePackages(import.meta.dirname, 'the Docker client');
}
