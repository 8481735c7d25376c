import { installNodePackages } from '../node-packages.ts';

/**
 * The client of Docker is installed when the first server is started from Docker: most machines never need its ninety
 * packages.
 */
export function installDockerClient(): void {
  installNodePackages(import.meta.dirname, 'the Docker client');
}
