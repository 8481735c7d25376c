import { describeRefusal, readAnswer, type Answer } from '../api/answer.ts';
import type { ApiClient } from '../api/api-client.ts';
import { refuse } from '../exit-codes.ts';
import type { FieldChange } from './compare-fields.ts';
import { isObject, type Document } from './read-documents.ts';
import type { Item } from './read-existing.ts';
import { holdsSecret } from './references.ts';

const PATH = '/api/v1/policies';

interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Policy = Readonly<Record<string, unknown>>;

/** Reads the active policy with the number of its version. */
export async function readPolicy(client: ApiClient): Promise<Item> {
  const { body } = await client.call('GET', PATH);
  return { ...body, id: 'policy' };
}

/**
 * Returns the differences between a policy document and the active policy, as determined by the service. The service
 * refuses names of workflows that do not exist: those that will be created before the policy (`planned`) are compared
 * here.
 */
export async function comparePolicy(
  client: ApiClient,
  { document, desired }: { readonly document: Document; readonly desired: Policy },
  planned: ReadonlySet<string>,
): Promise<FieldChange[]> {
  const { policy, omitted } = omitWorkflows(desired, planned);
  const { body } = await send(client, `${PATH}/diff`, document, policy);
  // The service cannot tell which of the changes contains the value from the environment.
  const isSecret = holdsSecret(document.spec);
  return [...(body.changes as readonly Change[]), ...omitted].map(({ path, before, after }) => ({
    ...{ field: path, before, after },
    ...{ isSecret, isDrift: false, isUnset: false },
  }));
}

/**
 * Returns a policy without the workflows of these names in its rules and defaults, and the changes that are missing as
 * a result.
 */
function omitWorkflows(policy: Policy, names: ReadonlySet<string>): { policy: Policy; omitted: Change[] } {
  const omitted: Change[] = [];
  const omit = (part: unknown, path: string): unknown => {
    if (!isObject(part) || typeof part.workflow !== 'string' || !names.has(part.workflow)) return part;
    const { workflow: after, ...rest } = part;
    omitted.push({ path: `${path}/workflow`, before: null, after });
    return rest;
  };
  const { rules, defaults } = policy;
  const omitFrom = (rule: unknown): unknown => omit(rule, `rules/${isObject(rule) ? String(rule.id) : ''}`);
  return {
    policy: {
      ...policy,
      ...(Array.isArray(rules) ? { rules: rules.map(omitFrom) } : {}),
      ...(isObject(defaults) ? { defaults: omit(defaults, 'defaults') } : {}),
    },
    omitted,
  };
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
