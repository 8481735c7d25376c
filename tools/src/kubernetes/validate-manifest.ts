import { loadModel } from '../../manifests/load-model.ts';
import { installPackages } from '../packages/install-packages.ts';
import { listUnreadFields, watchReads } from './watch-reads.ts';
import { nameManifest, type Manifest } from './manifest.ts';

/**
 * Returns what is wrong with an object: fields of a wrong type or missing, and fields that its schema does not know. A
 * server drops the latter without a word unless it is asked to be strict, and the schemas allow them; so they are found
 * as those that the validation never read.
 */
export async function validateManifest(manifest: Manifest): Promise<string[]> {
  installPackages('tools/manifests');
  const model = await loadModel(manifest.apiVersion, manifest.kind);
  if (model === undefined) return [`${manifest.apiVersion} ${manifest.kind} has no schema here`];
  const watched = watchReads(manifest);
  try {
    model.prototype.validate.call(watched.value);
  } catch (error) {
    return [(error as Error).message];
  }
  return listUnreadFields(watched).map((path) => `${path} is no field of ${manifest.kind}`);
}

/** The problems of several objects, each with the name of its object. */
export async function validateManifests(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests)
    for (const problem of await validateManifest(manifest)) problems.push(`${nameManifest(manifest)}: ${problem}`);
  return problems;
}
