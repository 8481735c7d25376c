import { describeRefusal, readAnswer, type Answer } from '../api/answer.ts';
import type { ApiClient } from '../api/api-client.ts';
import { refuse } from '../exit-codes.ts';
import type { FieldChange } from './compare-fields.ts';
import type { Document } from './read-documents.ts';
import { holdsSecret } from './references.ts';

const PATH = '/api/v1/policies';

interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Differences between a policy document and the active policy, as determined by the service. */
export async function comparePolicy(client: ApiClient, document: Document, desired: object): Promise<FieldChange[]> {
  const { body } = await send(client, `${PATH}/diff`, document, desired);
  // Which of the changes has the part from the environment the service cannot tell.
  const isSecret = holdsSecret(document.spec);
  return (body.changes as readonly Change[]).map(({ path, before, after }) => ({
    ...{ field: path, before, after },
    ...{ isSecret, isDrift: false },
  }));
}

export async function applyPolicy(client: ApiClient, document: Document, desired: object): Promise<void> {
  await send(
    client,
    `${PATH}/apply?message=${encodeURIComponent(`steward apply: ${document.name}`)}`,
    document,
    desired,
  );
}

async function send(client: ApiClient, path: string, { where }: Document, desired: object): Promise<Answer> {
  const { stringify } = await import('yaml');
  const answer = await readAnswer(
    await client.send('POST', path, {
      bytes: new TextEncoder().encode(stringify(desired)),
      headers: { 'content-type': 'application/yaml' },
    }),
  );
  if (answer.status < 300) return answer;
  const { errors = [] } = (answer.body.detail ?? {}) as { errors?: readonly { message: string }[] };
  const [first] = errors;
  throw refuse(`${where}: spec: ${first?.message ?? describeRefusal(answer)}`);
}
