import { useQuery } from '@tanstack/react-query';
import { countNoun } from '@steward/text';
import type { Policy, PolicyDiff } from '../../api/answers.ts';
import { applyPolicy, backtestQuery, diffPolicy, policiesKey } from '../../queries/policies.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { TestedText } from './backtests.tsx';
import styles from './policies.module.css';

interface Props {
  readonly text: string;
  /** The version on which the text is based; if another version is in force, the service refuses the text. */
  readonly version: number;
  /** The backtest of this text, if there is one. */
  readonly tested: TestedText | undefined;
  readonly onApplied: (version: number) => void;
  readonly onRefused: (error: unknown) => void;
  readonly onClose: () => void;
}

/** Shows the differences between the text and the policy in force, and asks for confirmation. */
export function ApplyPolicy({ text, version, tested, onApplied, onRefused, onClose }: Props) {
  const diff = useQuery({
    queryKey: [...policiesKey(), 'diff', version, text],
    queryFn: () => diffPolicy(text),
    gcTime: 0,
    retry: false,
  });
  const send = async ({ message = '' }: Readonly<Record<string, string>>): Promise<Policy> => {
    try {
      return await applyPolicy(text, version, message.trim());
    } catch (error) {
      onRefused(error);
      throw error;
    }
  };
  return (
    <FormDialog
      title="Apply the policy"
      action="Apply"
      onClose={onClose}
      onSend={send}
      touches={policiesKey}
      onSent={(applied) => onApplied(applied.version)}
    >
      {(errorOf) => (
        <>
          <Loaded what="the changes" query={diff}>
            {({ changes }) => <Changes changes={changes} />}
          </Loaded>
          {tested === undefined ? (
            <p>This document was not tested against past calls.</p>
          ) : (
            <Tested backtestId={tested.backtestId} />
          )}
          <p>The document applies from the next tool call on.</p>
          <Field label="Reason" name="message" maxLength={500} error={errorOf('message')} />
        </>
      )}
    </FormDialog>
  );
}

function Tested({ backtestId }: Pick<TestedText, 'backtestId'>) {
  const query = useQuery(backtestQuery(backtestId));
  return (
    <Loaded what="the backtest" query={query}>
      {({ finished_at: finishedAt, examined, changed }) => (
        <p>
          {finishedAt === null ? 'The backtest is in progress; so far ' : 'Backtest: '}
          {changed} of {countNoun(examined, 'past call')} would have been decided differently.
        </p>
      )}
    </Loaded>
  );
}

function Changes({ changes }: Pick<PolicyDiff, 'changes'>) {
  if (changes.length === 0) return <p>No effective change.</p>;
  return (
    <ul className={styles['problems']} aria-label="Changes">
      {changes.map(({ kind, path, before, after }) => (
        <li key={`${kind} ${path}`}>
          {kind} <code>{path}</code>
          {kind !== 'moved' && (
            <pre className={styles['value']}>
              {kind === 'changed' ? `${show(before)} → ${show(after)}` : show(kind === 'added' ? after : before)}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
