import { isDeepStrictEqual } from 'node:util';
import type { HintSink } from '@steward/contracts';
import type { AnyDatabase, AnyTransaction } from '@steward/database';
import {
  createWorkflow,
  findWorkflowsByName,
  lockWorkflows,
  updateWorkflowFields,
  type ApprovalWorkflow,
} from '@steward/approvals';
import { findAccountUsers, type User } from '@steward/identity';
import type { CheckedDocument, DocumentProblem, PolicyDocument } from '@steward/policies';
import { refuseSave } from '@steward/api';
import { refuseDocument, type PoliciesDeps } from './policies-deps.ts';

type Checked = Pick<CheckedDocument, 'document' | 'locate'>;
type DocumentWorkflow = NonNullable<PolicyDocument['approval_workflows']>[number];

/**
 * Returns a problem for each user or workflow that a document names but cannot use: the account has no workflow or
 * active user of this name, or the user is not allowed to decide approvals.
 */
export async function findWorkflowProblems(
  db: AnyDatabase,
  accountId: string,
  checked: Checked,
  { settings }: Pick<PoliciesDeps, 'settings'>,
): Promise<DocumentProblem[]> {
  const { document, locate } = checked;
  if (document === undefined) return [];
  const users = await findApprovers(db, accountId, document, settings);
  const problems = (document.approval_workflows ?? []).flatMap(({ approvers = [] }, index) =>
    approvers.flatMap((name, place) => {
      const fault = judgeApprover(name, users.get(name.toLowerCase()));
      return fault === undefined ? [] : [locate(['approval_workflows', index, 'approvers', place], fault)];
    }),
  );
  const named = listNamed(document);
  const own = new Set((document.approval_workflows ?? []).map(({ name }) => name));
  const wanted = named.filter(({ name }) => !own.has(name));
  const names = [...new Set(wanted.map(({ name }) => name))];
  const known = new Set((await findWorkflowsByName(db, { accountId, names })).map(({ name }) => name));
  const missing = wanted.filter(({ name }) => !known.has(name));
  return [
    ...problems,
    ...missing.map(({ path, name }) => locate(path, `The account has no approval workflow "${name}".`)),
  ];
}

/**
 * Creates or updates the workflows of a document; fields that the document omits are not changed. Runs in the
 * transaction that applies the document, so that no workflow to which the document refers is deleted meanwhile. Returns
 * the names of the workflows that were created or changed.
 *
 * @throws invalid_policy, quota_reached, invalid_request
 */
export async function saveDocumentWorkflows(
  trx: AnyTransaction,
  hints: HintSink,
  { accountId, checked }: { readonly accountId: string; readonly checked: Checked },
  deps: Pick<PoliciesDeps, 'settings' | 'secretBoxes'>,
): Promise<string[]> {
  const { document } = checked;
  if (document === undefined || listNamed(document).length + (document.approval_workflows ?? []).length === 0)
    return [];
  await lockWorkflows(trx, accountId);
  const problems = await findWorkflowProblems(trx, accountId, checked, deps);
  if (problems.length > 0) throw refuseDocument(problems, []);
  const users = await findApprovers(trx, accountId, document, deps.settings);
  const workflows = document.approval_workflows ?? [];
  const existing = await findWorkflowsByName(trx, { accountId, names: workflows.map(({ name }) => name) });
  const saved: string[] = [];
  for (const workflow of workflows) {
    const patch = readWorkflow(workflow, users);
    const stored = existing.find(({ name }) => name === workflow.name);
    if (stored !== undefined && isSo(stored, patch)) continue;
    const outcome =
      stored === undefined
        ? await createWorkflow(trx, hints, { accountId, patch }, deps.secretBoxes.webhook)
        : await updateWorkflowFields(trx, hints, { accountId, id: stored.id, patch }, deps.secretBoxes.webhook);
    if (outcome.kind === 'name_taken') throw refuseSave(outcome);
    saved.push(workflow.name);
  }
  return saved;
}

/** Returns whether a workflow already equals its description in a document. */
function isSo(stored: ApprovalWorkflow, patch: ReturnType<typeof readWorkflow>): boolean {
  return isDeepStrictEqual({ ...stored, ...patch }, { ...stored });
}

/** Returns the workflow names in rules and in the defaults, with their positions. */
function listNamed({ rules = [], defaults }: PolicyDocument) {
  const ofRules = rules.map(({ workflow }, index) => ({ path: ['rules', index, 'workflow'], name: workflow }));
  return [...ofRules, { path: ['defaults', 'workflow'], name: defaults?.workflow }].flatMap(({ path, name }) =>
    name === undefined || name === null ? [] : [{ path, name }],
  );
}

/** Returns the approvers that a document names, by their usernames in lower case. */
async function findApprovers(
  db: AnyDatabase,
  accountId: string,
  { approval_workflows: workflows = [] }: PolicyDocument,
  { edition }: PoliciesDeps['settings'],
): Promise<ReadonlyMap<string, User>> {
  const usernames = [...new Set(workflows.flatMap(({ approvers = [] }) => approvers))];
  const users = usernames.length === 0 ? [] : await findAccountUsers(db, { accountId, usernames }, edition);
  return new Map(users.map((user) => [user.username.toLowerCase(), user]));
}

function judgeApprover(name: string, user: User | undefined): string | undefined {
  if (user?.isActive !== true) return `The account has no active user "${name}".`;
  return user.permissions.includes('decide_approvals')
    ? undefined
    : `The role of "${name}" does not allow deciding approvals.`;
}

function readWorkflow(workflow: DocumentWorkflow, users: ReadonlyMap<string, User>) {
  const { name, approvers, quorum, expires_seconds: expiresSeconds } = workflow;
  const ids = approvers?.flatMap((username) => users.get(username.toLowerCase())?.id ?? []);
  return {
    name,
    ...(ids === undefined ? {} : { approverUserIds: [...new Set(ids)] }),
    ...(quorum === undefined ? {} : { quorum }),
    ...(expiresSeconds === undefined ? {} : { expiresSeconds }),
  };
}
