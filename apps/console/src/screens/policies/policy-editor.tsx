import { useRef, useState } from 'react';
import type { Policy, PolicyProblem } from '../../api/answers.ts';
import { toApiError } from '../../api/api-error.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { Button } from '../../ui/button.tsx';
import fieldStyles from '../../ui/field.module.css';
import { Notice } from '../../ui/notice.tsx';
import stack from '../../ui/stack.module.css';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ApplyPolicy } from './apply-policy.tsx';
import { findLine } from './find-line.ts';
import styles from './policies.module.css';
import { Problems } from './problems.tsx';
import { usePolicyCheck } from './use-policy-check.ts';

interface Props {
  /** The version from which the text was loaded, and which it replaces. */
  readonly base: Policy;
  readonly text: string;
  /** A version that another user has applied in the meantime. */
  readonly newer: Policy | undefined;
  readonly onText: (text: string) => void;
  /**
   * Called when another version becomes the base. @param kept - text that stays in the editor; default: that of the
   * version
   */
  readonly onBase: (base: Policy, kept?: string) => void;
  readonly onReload: () => void;
}

export function PolicyEditor({ base, text, newer, onText, onBase, onReload }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const check = usePolicyCheck(text);
  const [isApplying, setApplying] = useState(false);
  const refusal = useRefusal('manage_policies');
  const isChanged = text !== base.text;
  const goTo = ({ line, column }: PolicyProblem): void => {
    const at = findLine(text, line) + column - 1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  return (
    <section className={stack['stack']} aria-label="Document">
      <p>
        {base.version === 0
          ? 'No policy is applied yet: every call is allowed.'
          : `Version ${base.version} is in force`}
        {base.created_at !== null && (
          <>
            , since <TimeAgo at={base.created_at} />
          </>
        )}
      </p>
      <textarea
        ref={area}
        className={`${fieldStyles['box']} ${styles['text']}`}
        aria-label="Policy"
        aria-invalid={check.errors.length > 0 || undefined}
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <Problems check={check} onGo={goTo} />
      {newer !== undefined && (
        <Notice tone="warn" isNews>
          Another user has applied version {newer.version} in the meantime. Your edits are retained.{' '}
          <Button onClick={() => onBase(newer, text)}>Keep my edits</Button>{' '}
          <Button onClick={() => onBase(newer)}>Discard my edits</Button>
        </Notice>
      )}
      <div className={stack['actions']}>
        <Button
          look="primary"
          disabledReason={refusal ?? (isChanged ? undefined : 'there are no changes')}
          onClick={() => setApplying(true)}
        >
          Review and apply
        </Button>
        <Button disabledReason={isChanged ? undefined : 'there are no changes'} onClick={() => onText(base.text)}>
          Undo all changes
        </Button>
      </div>
      {isApplying && (
        <ApplyPolicy
          text={text}
          version={base.version}
          onClose={() => setApplying(false)}
          onApplied={(version) => onBase({ ...base, version, text })}
          onRefused={(error) => {
            if (toApiError(error).status === 412) onReload();
          }}
        />
      )}
    </section>
  );
}
