import { generate, type JsonSchema } from 'json-schema-faker';
import type { Api } from '../../demo/api.ts';
import { readOperations } from '../credentials/read-operations.ts';
import { createPathResolver } from '../credentials/resolve-paths.ts';
import { fillAccount } from '../fill-account.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { listTextFields } from './list-text-fields.ts';

/** Routes that end objects that the attack itself needs, or that store nothing. */
const LEFT_OUT =
  /\/(?:auth\/(?!api-keys)|users\/me\/password|account\/kill-switch|runtime-sessions\/deletions|webhooks\/flows)|\/(?:merge|end|cancel|restore)$/;

export interface StoredTexts {
  readonly fields: number;
  /** Number of texts accepted by the service. */
  readonly stored: number;
}

/** Stores hostile text in every text field of every route, as the owner of an account with data. */
export async function storeTexts(url: string, owner: Api): Promise<StoredTexts> {
  const { ids } = await fillAccount(owner, (plain) => `${plain} ${HOSTILE_TEXTS[0]}`);
  const document = await readOperations(url);
  const resolve = createPathResolver(owner, ids);
  const { components } = document.document as { components: object };
  const fields = listTextFields(document, longest(HOSTILE_TEXTS)).filter(
    ({ operation }) => operation.method !== 'GET' && !operation.isPublic && !LEFT_OUT.test(operation.path),
  );
  let stored = 0;
  for (const [index, { operation, schemaWith }] of fields.entries()) {
    const text = HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? '';
    const schema = { ...schemaWith(text), components } as JsonSchema;
    const body: unknown = await generate(schema, { seed: index + 1, optionalsProbability: 0 });
    const { path } = await resolve(operation);
    const { status } = await owner.call(operation.method, path, { body });
    if (status < 300) stored += 1;
    // 502 means that a server that the account configured did not respond.
    if (status >= 500 && status !== 502)
      throw new Error(`${operation.method} ${operation.path} answers ${status} to ${JSON.stringify(body)}`);
  }
  return { fields: fields.length, stored };
}

const longest = (texts: readonly string[]): string => texts.reduce((a, b) => (b.length > a.length ? b : a));
