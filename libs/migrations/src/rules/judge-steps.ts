import { isContractStep, type SliceMigration } from '@steward/database';
import { judgeStatement, readReach, type StatementReach } from './judge-statement.ts';

/** One step added after the last release; the steps are listed in the order in which they run. */
export interface JudgedStep {
  readonly schema: string;
  readonly name: string;
  readonly step: Pick<SliceMigration, 'isOnline' | 'removesUnusedSince'>;
  readonly statements: readonly string[];
}

/** The last step of each schema in a release, by schema; all earlier steps are released, too. */
export type ReleasedSteps = Readonly<Record<string, string>>;

/**
 * Returns one line for each rule that a step breaks: an upgrade applies these steps while apps of the previous version
 * are running.
 */
export function judgeSteps(steps: readonly JudgedStep[], released: ReleasedSteps): string[] {
  const created = new Set<string>();
  return steps.flatMap(({ schema, name, step, statements }) => {
    const isContract = isContractStep(name);
    const context = { isContract, isOnline: step.isOnline === true, isNew: (name: string) => created.has(name) };
    let locked: string | undefined;
    const broken = statements.flatMap((statement) => {
      const reach = readReach(statement, context);
      locked ??= context.isOnline ? undefined : reach.locked;
      const reasons = [...judgeStatement(statement, context), ...judgeReach(reach, locked)];
      for (const name of listCreated(statement)) created.add(name);
      return reasons;
    });
    return [...(isContract ? judgeContract(step, released) : []), ...broken].map(
      (reason) => `${schema}/${name}: ${reason}`,
    );
  });
}

/**
 * Returns a line if a step copies the rows of a table while a table is locked: the writers of the locked table wait
 * until the transaction of the step ends.
 */
function judgeReach({ copied }: StatementReach, locked: string | undefined): string[] {
  if (copied === undefined || locked === undefined) return [];
  return [`reads ${copied} while the writers of ${locked} wait: use a separate step, online and in batches`];
}

/**
 * Returns a line if the previous version may still use the objects that a contract step removes: either the contract
 * step does not name the step after which nothing uses these objects, or the named step is not released.
 */
function judgeContract({ removesUnusedSince: since }: JudgedStep['step'], released: ReleasedSteps): string[] {
  if (since === undefined)
    return [
      'a contract step must set removesUnusedSince to the step since which nothing uses the objects that it removes',
    ];
  const [schema = '', name = ''] = since.split('/');
  const last = released[schema];
  const isReleased = last !== undefined && name !== '' && name <= last;
  return isReleased
    ? []
    : [`removes something in the same version as ${since}, which is not released: move it to the next version`];
}

function listCreated(statement: string): string[] {
  const found = statement.matchAll(/\bcreate (?:function|(?:unlogged )?table(?: if not exists)?) ("?\w+"?\."?\w+"?)/gi);
  return [...found].map(([, table = '']) => table.replaceAll('"', '').toLowerCase());
}
