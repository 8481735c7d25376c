import { useState, type RefObject } from 'react';
import type { Policy } from '../../api/answers.ts';
import { toApiError } from '../../api/api-error.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import stack from '../../ui/stack.module.css';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ApplyPolicy } from './apply-policy.tsx';
import type { TestedText } from './backtests.tsx';
import { PolicyText, type PolicyTextHandle } from './editor/policy-text.tsx';
import { Problems } from './problems.tsx';
import type { PolicyCheck } from './use-policy-check.ts';
import { usePolicyOffers } from './use-policy-offers.ts';

interface Props {
  readonly editor: RefObject<PolicyTextHandle | null>;
  /** The version from which the text was loaded, and which is replaced when the text is applied. */
  readonly base: Policy;
  readonly text: string;
  readonly check: PolicyCheck;
  /** The backtest of exactly this text, if there is one. */
  readonly tested: TestedText | undefined;
  /** A version that has been applied in the meantime, usually by another user. */
  readonly newer: Policy | undefined;
  readonly onText: (text: string) => void;
  /**
   * Called when another version becomes the base. @param kept - text that stays in the editor; default: the text of the
   * version
   */
  readonly onBase: (base: Policy, kept?: string) => void;
  readonly onReload: () => void;
}

export function PolicyEditor({ editor, base, text, check, tested, newer, onText, onBase, onReload }: Props) {
  const offers = usePolicyOffers();
  const [isApplying, setApplying] = useState(false);
  const refusal = useRefusal('manage_policies');
  const isChanged = text !== base.text;
  return (
    <section className={stack['stack']} aria-label="Document">
      <p>
        {base.version === 0
          ? 'No policy is applied yet: every call is allowed, except calls of tools that have changed since they were accepted.'
          : `Version ${base.version} is in force`}
        {base.created_at !== null && (
          <>
            ; it was applied <TimeAgo at={base.created_at} />.
          </>
        )}
      </p>
      <PolicyText ref={editor} text={text} check={check} offers={offers} onText={onText} />
      <Problems check={check} onGo={(problem) => editor.current?.goTo(problem)} />
      {newer !== undefined && (
        <Notice tone="warn" isNews>
          Version {newer.version} has been applied in the meantime. Your edits are retained.{' '}
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
          tested={tested}
          onClose={() => setApplying(false)}
          onApplied={(version) => {
            const at = version === base.version ? base.created_at : new Date().toISOString();
            onBase({ ...base, version, text, created_at: at });
          }}
          onRefused={(error) => {
            if (toApiError(error).status === 412) onReload();
          }}
        />
      )}
    </section>
  );
}
