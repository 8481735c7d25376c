import { describeRefusal, readAnswer } from '../api/answer.ts';
import type { ApiClient } from '../api/api-client.ts';
import { refuse } from '../exit-codes.ts';
import { isSecretField, readObserved } from './compare-fields.ts';
import { KIND, type Kind } from './kinds.ts';
import type { Plan, Step } from './plan.ts';
import { applyPolicy } from './policy-document.ts';
import type { Document } from './read-documents.ts';
import { resolveIds } from './references.ts';
import { requireUnchanged } from './require-unchanged.ts';
import { fingerprint, type AppliedField, type AppliedObject, type State } from './state-file.ts';

export interface Run {
  readonly client: ApiClient;
  readonly plan: Plan;
  /** Called after each step, so that every completed step is recorded. */
  readonly save: (state: State) => void;
  readonly onDone: (step: Step) => void;
  /** Called with a secret that the service shows only once. */
  readonly onSecret: (key: string, secret: string) => void;
}

/** Executes the steps of a plan in order; stops at the first step that is refused. */
export async function runPlan(before: State, run: Run): Promise<void> {
  const { plan, save, onDone } = run;
  let state = before;
  for (const step of plan.steps) {
    const desired = resolveIds(step.desired, (key) => plan.ids.get(key));
    const applied = await runStep(run, { ...step, desired }, state);
    const { [step.key]: _former, ...others } = state.objects;
    state = { ...state, objects: applied === undefined ? others : { ...others, [step.key]: applied } };
    save(state);
    if (step.action !== 'none') onDone(step);
  }
}

/** Executes a step. Returns the data of the object to be recorded; undefined for a deleted one. */
async function runStep(run: Run, step: Step, state: State): Promise<AppliedObject | undefined> {
  const { client } = run;
  const { action, kind, document, key, desired, current } = step;
  if (action !== 'none') await requireUnchanged(client, step);
  if (document === undefined) {
    if (kind !== 'policy') await call(client, 'DELETE', `${KIND[kind].path}/${current?.id ?? ''}`, key);
    return undefined;
  }
  if (kind === 'policy') {
    if (action !== 'none') await applyPolicy(client, document, desired);
    return { id: 'policy', made: false, fields: {} };
  }
  const object = await write(run, KIND[kind], { ...step, document });
  const stored = state.objects[key];
  const made = action === 'create' || action === 'replace' || (stored?.made === true && stored.id === current?.id);
  const fields = noteFields(KIND[kind], { spec: document.spec, desired, object, salt: state.salt });
  return { id: String(object.id), made, fields };
}

/** Creates or changes the object of a document, and returns it as shown by the service. */
async function write(run: Run, kind: Kind, step: Step & { readonly document: Document }): Promise<Fields> {
  const { client, plan, onSecret } = run;
  const { action, document, desired, current, changes, key } = step;
  const path = `${kind.path}/${current?.id ?? ''}`;
  if (action === 'none') return current ?? {};
  if (action === 'update') {
    return call(client, 'PATCH', path, document.where, buildPatch(kind, desired, changes));
  }
  if (action === 'replace') await call(client, 'DELETE', path, document.where);
  const name = kind.nameField === undefined ? {} : { [kind.nameField]: document.name };
  // Only this response of the service contains the secret, even if the change after it is refused.
  const onMade = (made: Fields): void => {
    plan.ids.set(key, String(made.id));
    const secret = findSecret(made);
    if (secret !== undefined) onSecret(key, secret);
  };
  return create(client, kind, { where: document.where, body: { ...name, ...omitNothing(kind, desired) }, onMade });
}

/** Returns the fields of an object that does not exist yet, without hidden ones that have no value. */
function omitNothing({ hidden = {} }: Kind, desired: Fields): Fields {
  return Object.fromEntries(
    Object.entries(desired).filter(([field, value]) => hidden[field] === undefined || value !== null),
  );
}

/** Builds the body of a change. If the address changes, the service deletes hidden fields that are not sent with it. */
function buildPatch({ hidden = {}, address }: Kind, desired: Fields, changes: Step['changes']): Fields {
  const changed = Object.fromEntries(
    changes.map(({ field, after, isUnset }) => [field, isUnset ? after : desired[field]]),
  );
  if (address === undefined || !(address in changed)) return changed;
  const sent = Object.keys(hidden).filter((field) => field in desired);
  return { ...Object.fromEntries(sent.map((field) => [field, desired[field]])), ...changed };
}

type Fields = Readonly<Record<string, unknown>>;

async function create(
  client: ApiClient,
  { path, changeOnly = [] }: Kind,
  { where, body, onMade }: { readonly where: string; readonly body: Fields; readonly onMade: (made: Fields) => void },
): Promise<Fields> {
  const pick = (later: boolean): Fields =>
    Object.fromEntries(Object.entries(body).filter(([field]) => changeOnly.includes(field) === later));
  const made = await call(client, 'POST', path, where, pick(false));
  onMade(made);
  const rest = pick(true);
  if (Object.keys(rest).length === 0) return made;
  return { ...made, ...(await call(client, 'PATCH', `${path}/${String(made.id)}`, where, rest)) };
}

/**
 * Returns the secret in a response: the signing secret of an endpoint or workflow, or the secret of the webhook of a
 * flow.
 */
function findSecret(object: Fields): string | undefined {
  const webhook = object.webhook_config as { readonly webhook_secret?: unknown } | null | undefined;
  const secret = object.secret ?? object.webhook_secret ?? webhook?.webhook_secret;
  return typeof secret === 'string' ? secret : undefined;
}

function noteFields(
  kind: Kind,
  {
    spec,
    desired,
    object,
    salt,
  }: { readonly spec: Fields; readonly desired: Fields; readonly object: Fields; readonly salt: string },
): Record<string, AppliedField> {
  return Object.fromEntries(
    Object.entries(desired).map(([field, value]) => {
      const isSecret = isSecretField(kind, field, spec[field]);
      const applied = fingerprint(value, salt, isSecret);
      return [field, { applied, observed: fingerprint(readObserved(kind, field, object), salt, isSecret) }];
    }),
  );
}

async function call(client: ApiClient, method: string, path: string, where: string, body?: Fields): Promise<Fields> {
  const answer = await readAnswer(await client.send(method, path, body === undefined ? {} : { body }));
  if (answer.status < 300 || (method === 'DELETE' && answer.status === 404)) return answer.body;
  const { field } = (answer.body.detail ?? {}) as { readonly field?: unknown };
  throw refuse(`${where}:${typeof field === 'string' ? ` spec.${field}:` : ''} ${describeRefusal(answer)}`);
}
