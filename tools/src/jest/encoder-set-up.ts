import { installPackages } from '../packages/install-packages.ts';

/** Installs the sentence encoder once, before several files need it. */
export default function setUp(): void {
  installPackages('tools/embedding-server');
}
