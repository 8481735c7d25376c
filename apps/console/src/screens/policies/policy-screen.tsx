import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Policy } from '../../api/answers.ts';
import { policyQuery } from '../../queries/policies.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import stack from '../../ui/stack.module.css';
import { Backtests } from './backtests.tsx';
import type { PolicyTextHandle } from './editor/policy-text.tsx';
import { findRule } from './find-rule.ts';
import styles from './policies.module.css';
import { PolicyEditor } from './policy-editor.tsx';
import { TryCall } from './try-call.tsx';
import { useDraft } from './use-draft.ts';
import { usePolicyCheck } from './use-policy-check.ts';

/** Screen to edit the policy in force, check it, test it on recorded and hypothetical calls, and apply it. */
export function PolicyScreen() {
  const query = useQuery(policyQuery());
  return (
    <Page title="Policy" actions={<Link to="/policies/versions">Versions</Link>}>
      <Loaded what="the policy" query={query}>
        {(policy) => <Desk policy={policy} onReload={() => void query.refetch()} />}
      </Loaded>
    </Page>
  );
}

function Desk({ policy, onReload }: { readonly policy: Policy; readonly onReload: () => void }) {
  const [{ base, text, tested }, change] = useDraft(policy);
  const editor = useRef<PolicyTextHandle>(null);
  const check = usePolicyCheck(text);
  const showRule = (id: string): void => {
    const line = findRule(text, id);
    if (line !== undefined) editor.current?.goTo({ line, column: 1 });
  };
  return (
    <div className={styles['desk']}>
      <PolicyEditor
        editor={editor}
        base={base}
        text={text}
        check={check}
        tested={tested?.text === text ? tested : undefined}
        newer={policy.version > base.version ? policy : undefined}
        onText={(next) => change({ text: next })}
        onBase={(next, kept) => change({ base: next, text: kept ?? next.text })}
        onReload={onReload}
      />
      <div className={stack['stack']}>
        <Backtests
          text={text}
          refusal={check.errors.length > 0 ? 'the document has errors' : undefined}
          tested={tested}
          onTested={(next) => change({ tested: next })}
          onRule={showRule}
        />
        <TryCall text={text} />
      </div>
    </div>
  );
}
