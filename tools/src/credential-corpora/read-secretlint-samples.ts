import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CredentialSample } from '@steward/testing';

/** Matches rules about the names of files and folders, and example rules. */
const NO_CREDENTIALS = /^(?:example|filter-comments|pattern|no-dotenv|no-homedir|internal-test-\w+|preset-\w+)$/;
const SNAPSHOT = /^secretlint-rule-([\w-]+)\/test\/snapshots\/([^/]+)\/output\.json$/;

interface Snapshot {
  readonly sourceContent?: string;
  readonly sourceContentType?: string;
  readonly messages?: readonly { readonly messageId?: string; readonly data?: Readonly<Record<string, string>> }[];
}

/**
 * Reads the test samples of the rules in a checkout of secretlint: the text of each snapshot, once for each credential
 * in it.
 */
export function readSecretlintSamples(checkout: string): CredentialSample[] {
  const folder = join(checkout, 'packages/@secretlint');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .sort()
    .flatMap((name) => {
      const [, rule = ''] = SNAPSHOT.exec(name) ?? [];
      if (rule === '' || NO_CREDENTIALS.test(rule)) return [];
      return readSnapshot(rule, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Snapshot);
    });
}

function readSnapshot(
  rule: string,
  { sourceContent: text = '', sourceContentType, messages = [] }: Snapshot,
): CredentialSample[] {
  // Key stores are binary files, so they do not occur in text.
  if (text === '' || sourceContentType !== 'text') return [];
  if (messages.length === 0) return [{ rule, text }];
  return messages.flatMap(({ messageId = '', data = {} }) =>
    findSecrets(text, messageId, data).map((secret) => ({ rule: `${rule}/${messageId}`, text, secret })),
  );
}

function findSecrets(text: string, messageId: string, data: Readonly<Record<string, string>>): string[] {
  const named = data['KEY'] ?? data['TOKEN'] ?? data['SECRET'] ?? data['ID'];
  if (named !== undefined) return [named];
  const address = data['CREDENTIAL'] ?? data['URI'] ?? data['URL'];
  if (address !== undefined)
    return [/(?<=:\/\/)[^/]+@/.exec(address)?.[0] ?? /(?<=\/services\/).+/.exec(address)?.[0] ?? address];
  if (messageId === 'PrivateKeyJSON') return [(JSON.parse(text) as { private_key: string }).private_key.slice(28, 92)];
  // A Kubernetes manifest is split into one sample for each value of its data.
  return [...text.matchAll(/^\s+[\w.-]+:[ \t]+([A-Za-z0-9+/]{8,}={0,2})$/gm)].map((hit) => hit[1] ?? '');
}
