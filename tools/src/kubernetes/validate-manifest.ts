import { loadModel } from '../../manifests/load-model.ts';
import { installPackages } from '../packages/install-packages.ts';
import { listUnreadFields, watchReads } from './watch-reads.ts';
import { nameManifest, type Manifest } from './manifest.ts';

/**
 * Returns the errors in an object: missing fields, fields of a wrong type, and fields that are not in its schema.
 * Unless strict validation is requested, a server silently drops fields that are not in its schema, and the schemas
 * allow them; therefore they are detected as the fields that the validation has not read.
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

/** Returns the problems of several objects, each with the name of its object. */
export async function validateManifests(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests)
    for (const problem of await validateManifest(manifest)) problems.push(`${nameManifest(manifest)}: ${problem}`);
  return problems;
}
