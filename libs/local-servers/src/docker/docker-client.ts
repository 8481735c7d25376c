import { installNodePackages } from '../node-packages.ts';

/**
 * The client of Docker is installed with the first server that comes from there: most machines never need its ninety
 * packages.
 */
export function installDockerClient(): void {
  installNodePackages(import.meta.dirname, 'the Docker client');
}
