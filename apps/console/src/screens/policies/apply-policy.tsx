import { useQuery } from '@tanstack/react-query';
import type { Policy, PolicyDiff } from '../../api/answers.ts';
import { applyPolicy, diffPolicy, policiesKey } from '../../queries/policies.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './policies.module.css';

interface Props {
  readonly text: string;
  /** The version in force when the page last loaded it. */
  readonly version: number;
  readonly onApplied: (version: number) => void;
  readonly onRefused: (error: unknown) => void;
  readonly onClose: () => void;
}

/** Shows the differences between the text and the policy in force, and asks for confirmation. */
export function ApplyPolicy({ text, version, onApplied, onRefused, onClose }: Props) {
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
          <p>It applies from the next tool call on.</p>
          <Field label="Reason" name="message" maxLength={500} error={errorOf('message')} />
        </>
      )}
    </FormDialog>
  );
}

function Changes({ changes }: Pick<PolicyDiff, 'changes'>) {
  if (changes.length === 0) return <p>No effective change.</p>;
  return (
    <ul className={styles['problems']} aria-label="Changes">
      {changes.map(({ kind, path, before, after }) => (
        <li key={`${kind} ${path}`}>
          {kind} <code>{path}</code>
          {kind === 'changed' && (
            <pre className={styles['value']}>
              {show(before)} → {show(after)}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
